import { and, eq } from 'drizzle-orm';
import { deriveKey } from '../accounts/derive-key.ts';
import type { Db } from '../db/open.ts';
import { visitorSalts } from '../db/schema.ts';
import { unavailableError } from '../vocabulary/errors.ts';
import { SALT_BYTES, type SaltStore } from './visitor-salts.ts';

/** Maximum rows: two days of each time zone that there is. */
const ROWS_MAX = 2_000;

/**
 * Salts that several processes share over a database on a server. The server holds a random text only, which makes a salt
 * together with the secret of the processes: its write-ahead log and its copies alone give no salt away.
 */
export function openSaltRows(db: Db, secret: string): SaltStore {
  const key = deriveKey(new TextEncoder().encode(secret), 'visitor salts');

  return {
    async open(zone, day) {
      const random = Buffer.from(crypto.getRandomValues(new Uint8Array(SALT_BYTES))).toString('hex');
      await db.insert(visitorSalts).values({ zone, day, random }).onConflictDoNothing();
      const [row] = await db
        .select({ random: visitorSalts.random })
        .from(visitorSalts)
        .where(and(eq(visitorSalts.zone, zone), eq(visitorSalts.day, day)))
        .limit(1);
      // Another process, whose clock is ahead, has removed it already.
      if (!row) throw unavailableError('The day is ending; try again', 1);
      return new Bun.CryptoHasher('sha256', key).update(`${zone} ${day} ${row.random}`).digest();
    },

    async forget(isOver) {
      const rows = await db
        .select({ zone: visitorSalts.zone, day: visitorSalts.day })
        .from(visitorSalts)
        .orderBy(visitorSalts.zone)
        .limit(ROWS_MAX);
      for (const { zone, day } of rows)
        if (isOver(zone, day))
          await db.delete(visitorSalts).where(and(eq(visitorSalts.zone, zone), eq(visitorSalts.day, day)));
    },
  };
}
