import { eq } from 'drizzle-orm';
import { toEmailKey } from '../accounts/email-key.ts';
import { withBusyRetry } from '../db/busy.ts';
import { findInstallationId } from '../db/installation.ts';
import type { OpenDatabase } from '../db/open.ts';
import { users } from '../db/schema.ts';
import { createDemo, DEMO_EVENTS } from '../demo/website.ts';
import type { EventsServer } from '../log/clickhouse/server.ts';
import { createRecords } from '../metrics/records.ts';
import { openEvents } from '../storage/clickhouse.ts';
import { openLog } from '../storage/open.ts';
import { AppError } from '../vocabulary/errors.ts';
import { createWebsites } from '../websites/service.ts';
import type { DatabaseCommand } from './command.ts';
import { tell } from './watch.ts';

export const DEMO_COMMANDS = {
  load:
    (email: string): DatabaseCommand =>
    async ({ database, secrets }, { print }) => {
      const userId = await requireUserId(database, email);
      const server =
        secrets.events && (await openEvents(secrets.events, await findInstallationId(database.db)));
      tell.step({ name: 'loading', events: DEMO_EVENTS });
      const { events } = await openDemo(database, server, stopOnSignal())
        .load(userId)
        .catch(explain)
        .finally(() => server?.close());
      print(`The demo website is loaded: ${events} events of 90 days.`);
    },
  remove:
    (email: string): DatabaseCommand =>
    async ({ database }, { print }) => {
      const userId = await requireUserId(database, email);
      await openDemo(database, undefined).remove(userId).catch(explain);
      print('The demo website is deleted.');
    },
};

/** @param requireGoing throws when the command was stopped: what was loaded is removed again */
function openDemo(database: OpenDatabase, server: EventsServer | undefined, requireGoing = () => {}) {
  const { db } = database;
  let written = 0;
  const log = openLog(database, server);
  return createDemo({
    websites: createWebsites({ db, now: Date.now }),
    ...createRecords({ db, now: Date.now }),
    async write(events) {
      await Bun.sleep(0); // lets a signal through
      requireGoing();
      const outcomes = await withBusyRetry(() => log.append(events));
      written += events.length;
      tell.events(written);
      return outcomes;
    },
    now: Date.now,
    monotonicMs: () => performance.now(),
  });
}

function stopOnSignal(): () => void {
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isStopped = true;
    });
  return () => {
    if (isStopped) throw new Error('The command was stopped.');
  };
}

async function requireUserId({ db }: OpenDatabase, email: string): Promise<string> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailKey, toEmailKey(email.trim())))
    .limit(1);
  if (!user) throw new Error(`No account has the address ${email}.`);
  return user.id;
}

function explain(error: unknown): never {
  throw error instanceof AppError ? new Error(`${error.message}.`) : error;
}
