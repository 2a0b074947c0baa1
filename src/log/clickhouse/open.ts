import type { EventsTarget } from '../../settings/events.ts';
import { MARK_TABLE, MIGRATIONS } from './schema.ts';
import { connectEventsServer, type EventsServer } from './server.ts';
import { sql } from './sql.ts';

/** Oldest version that has all required statements. */
export const VERSION_MIN = [24, 8] as const;

const UNKNOWN_CERTIFICATE =
  'its certificate is not signed by an authority that this machine trusts; name a file with the CA certificates in EVENTS_CA_FILE';

/** Why it cannot be used, by the number of the server's error or the name of the connection's. */
const REASONS: Record<string, string> = {
  '81': 'it has no such database; create it, or correct the last part of EVENTS_URL',
  '164': 'the user may only read; it needs to create tables, insert and delete in this database',
  '497': 'the user lacks rights; it needs to create tables, insert and delete in this database',
  '516': 'it does not know the user, or the password is wrong',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS there; EVENTS_URL begins with http:// then',
  ERR_BORINGSSL: 'EVENTS_CA_FILE holds no certificates (PEM)',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CERTIFICATE,
};

/**
 * Connects, and makes or migrates the tables. They belong to the first installation that names itself.
 *
 * @throws Error naming the server, without its password, and what is wrong
 */
export async function openEventsServer(target: EventsTarget, installationId?: string): Promise<EventsServer> {
  const server = await connectEventsServer(target);
  try {
    await requireVersion(server);
    await requireOurs(server);
    await migrate(server);
    if (installationId !== undefined) await requireOwn(server, installationId);
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
  if (!/^\d+\.\d+/.test(version))
    throw new Error(`the server is not ClickHouse: its version query returned "${version.slice(0, 40)}"`);
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

async function migrate(server: EventsServer): Promise<void> {
  await server.command(MARK_TABLE);
  const [[done] = [0]] = await server.read<[number]>(sql`SELECT max(version) FROM pagemeter`);
  if (done > MIGRATIONS.length)
    throw new Error(`its tables are of a newer version of Pagemeter (${done}, not ${MIGRATIONS.length})`);
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index < done) continue;
    for (const statement of statements) await server.command(statement);
    await server.toInsert('pagemeter', [{ version: index + 1 }])();
  }
}

async function requireOwn(server: EventsServer, id: string): Promise<void> {
  const read = () => server.read<[string]>(sql`SELECT DISTINCT id FROM installation LIMIT 2`);
  let owners = await read();
  if (owners.length === 0) {
    await server.toInsert('installation', [{ id }])();
    owners = await read(); // another process may have done so at the same moment
  }
  if (owners.some(([owner]) => owner !== id))
    throw new Error(
      'it holds the events of another installation of Pagemeter, and its websites have the same numbers; create a database for this one',
    );
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code } = cause as { code?: unknown };
  if (typeof code === 'string' && REASONS[code]) return REASONS[code];
  const message = cause instanceof Error ? cause.message : String(cause);
  if (message === 'Timeout error.') return 'it has not answered within a minute'; // of the client, and without a code
  return message.replace(/\s+/g, ' ').trim().slice(0, 300).replace(/\.$/, '');
}
