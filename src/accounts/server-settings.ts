import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { serverSettings, users } from '../db/schema.ts';

export type RegistrationRule = 'open' | 'closed';

/** Server-wide settings of the dashboard, and the account that may change them. */
export function createServerSettings(db: Db) {
  return {
    async read(): Promise<{ ownerId: string | undefined; registration: RegistrationRule | undefined }> {
      const rows = await db.select().from(serverSettings).limit(SETTINGS_MAX);
      const values = new Map(rows.map(({ name, value }) => [name, value]));
      const registration = values.get('registration');
      return {
        ownerId: values.get('owner'),
        registration: registration === 'open' || registration === 'closed' ? registration : undefined,
      };
    },

    async setRegistration(value: RegistrationRule): Promise<void> {
      await db
        .insert(serverSettings)
        .values({ name: 'registration', value })
        .onConflictDoUpdate({ target: serverSettings.name, set: { value } });
    },

    /** Statements that follow the insert of a user in its batch; they change nothing if another user was faster. */
    toOwnerStatements(userId: string, { isFirst, registration }: Ownership) {
      const isAdded = sql`exists (select 1 from ${users} where ${users.id} = ${userId})`;
      const isAlone = isFirst ? sql`(select count(*) from ${users}) = 1` : sql`true`;
      const isOwner = sql`exists (select 1 from ${serverSettings} where ${and(eq(serverSettings.name, 'owner'), eq(serverSettings.value, userId))})`;
      return [
        db
          .insert(serverSettings)
          .select(sql`select 'owner', ${userId} where ${isAdded} and ${isAlone}`)
          .onConflictDoNothing(),
        db
          .insert(serverSettings)
          .select(sql`select 'registration', ${registration} where ${isOwner} and ${registration} <> ''`)
          .onConflictDoUpdate({ target: serverSettings.name, set: { value: registration } }),
      ] as const;
    },
  };
}

/** `isFirst`: only who is alone becomes the owner. `registration`: empty leaves it as it is. */
export type Ownership = { isFirst: boolean; registration: RegistrationRule | '' };

const SETTINGS_MAX = 10;
