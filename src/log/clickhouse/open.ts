import type { EventsTarget } from '../../events-settings.ts';
import { type DerivedColumn, MARK_TABLE, migrations } from './schema.ts';
import { connectEventsServer, type EventsServer } from './server.ts';
import { sql } from './sql.ts';

/** Below it, statements are missing that are needed. */
export const VERSION_MIN = [24, 8] as const;

/** What the server says about why it cannot be used, by the number of its error. */
const REASONS: Record<string, string> = {
  '81': 'it has no such database; create it, or correct the last part of EVENTS_URL',
  '164': 'the user may only read; it needs to create tables, insert and delete in this database',
  '497': 'the user lacks rights; it needs to create tables, insert and delete in this database',
  '516': 'it does not know the user, or the password is wrong',
};

/**
 * Connects, and makes or migrates the tables.
 *
 * @throws Error naming the server, without its password, and what is wrong
 */
export async function openEventsServer(
  target: EventsTarget,
  derived: readonly DerivedColumn[],
): Promise<EventsServer> {
  const server = await connectEventsServer(target);
  try {
    await requireVersion(server);
    await requireOurs(server);
    await migrate(server, derived);
    return server;
  } catch (error) {
    await server.close();
    const { host, pathname } = new URL(target.url);
    const name = `${host}, database ${decodeURIComponent(pathname.slice(1)) || 'default'}`;
    throw new Error(`The server of EVENTS_URL (${name}) cannot be used: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

async function requireVersion(server: EventsServer): Promise<void> {
  const version = await server.version();
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1]))
    throw new Error(`it is ClickHouse ${version}, and at least ${VERSION_MIN.join('.')} is needed`);
}

async function requireOurs(server: EventsServer): Promise<void> {
  const rows = await server.read<[string]>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name LIMIT 100`,
  );
  const names = rows.map(([name]) => name);
  if (names.length > 0 && !names.includes('pagemeter'))
    throw new Error(`the database holds tables of another program (${names.slice(0, 3).join(', ')})`);
}

async function migrate(server: EventsServer, derived: readonly DerivedColumn[]): Promise<void> {
  await server.command(MARK_TABLE);
  const [[done] = [0]] = await server.read<[number]>(sql`SELECT max(version) FROM pagemeter`);
  const steps = migrations(derived);
  if (done > steps.length)
    throw new Error(`its tables are of a newer version of Pagemeter (${done}, not ${steps.length})`);
  for (const [index, statements] of steps.entries()) {
    if (index < done) continue;
    for (const statement of statements) await server.command(statement);
    await server.toInsert('pagemeter', [{ version: index + 1 }])();
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code } = cause as { code?: unknown };
  if (typeof code === 'string' && REASONS[code]) return REASONS[code];
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/\s+/g, ' ').trim().slice(0, 300).replace(/\.$/, '');
}
