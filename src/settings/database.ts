import { isAbsolute, join, resolve } from 'node:path';
import { secret, setting, text, type ValuesOf } from './setting.ts';

/** Settings of the database for accounts and websites, and for events without EVENTS_URL. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: setting(
    '',
    'Database: `file:…`, `:memory:`, or `http(s)://`, `libsql://` of a libSQL server. Default: `pagemeter.db` in `DATA_DIR`.',
    databaseUrl,
  ),
  DATABASE_AUTH_TOKEN: secret(
    'Token for a remote libSQL server. `DATABASE_AUTH_TOKEN_FILE` names a file with it.',
    text,
  ),
} as const;

/** The database to open. A `file` path is absolute. */
export type DatabaseTarget =
  | { kind: 'file'; path: string }
  | { kind: 'memory' }
  | { kind: 'remote'; url: string; authToken: string | undefined };

/** @returns the database, and a fault if a token is given for one without a server */
export function toDatabaseTarget(
  { DATABASE_URL: url, DATABASE_AUTH_TOKEN: token }: ValuesOf<typeof DATABASE_SETTINGS>,
  dataDir: string,
  baseDir: string,
): { target: DatabaseTarget; fault: string | undefined } {
  const authToken = token || undefined;
  const target = toTarget(url, dataDir, baseDir, authToken);
  const isUnused = authToken !== undefined && target.kind !== 'remote';
  return {
    target,
    fault: isUnused
      ? 'DATABASE_AUTH_TOKEN is set, but DATABASE_URL is not the address of a remote database.'
      : undefined,
  };
}

function toTarget(
  url: string,
  dataDir: string,
  baseDir: string,
  authToken: string | undefined,
): DatabaseTarget {
  if (url === '') return { kind: 'file', path: join(dataDir, 'pagemeter.db') };
  if (url === ':memory:' || url === 'file::memory:') return { kind: 'memory' };
  if (!url.startsWith('file:')) return { kind: 'remote', url, authToken };
  const path = url.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, '');
  return { kind: 'file', path: isAbsolute(path) ? path : resolve(baseDir, path) };
}

function databaseUrl(value: string): string {
  if (value === '' || value === ':memory:') return value;
  if (/^file:.+/.test(value) && !value.includes('?')) return value;
  if (/^(https?|libsql):\/\/[^/]+/.test(value) && URL.canParse(value)) return value;
  // The value may hold a password, so it is not repeated.
  throw new Error('must be file:PATH, :memory:, or the http(s):// or libsql:// address of a server.');
}
