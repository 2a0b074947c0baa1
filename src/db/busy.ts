/** How long a write waits for a lock that another process holds, before it is refused with 503. */
export const BUSY_PATIENCE_MS = 5_000;
const FIRST_PAUSE_MS = 2;
/** Pause of ingest between attempts: it holds up all waiting events, and far outlasts the usual locks. */
export const INGEST_PAUSE_MS = FIRST_PAUSE_MS;
const LONGEST_PAUSE_MS = 50;

type Waiting = { patienceMs?: number; longestPauseMs?: number };

/**
 * Runs `work` again, with pauses outside of SQLite, while the database is locked. `work` must be all or nothing. The
 * pauses grow, because requests that wait are many and each tries for itself.
 *
 * @throws what `work` throws, also SQLITE_BUSY once the patience is used up
 */
export async function withBusyRetry<Result>(
  work: () => Result | Promise<Result>,
  { patienceMs = BUSY_PATIENCE_MS, longestPauseMs = LONGEST_PAUSE_MS }: Waiting = {},
): Promise<Result> {
  const deadlineMs = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY' || performance.now() + pauseMs > deadlineMs) throw error;
      await Bun.sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

/** The base code (`SQLITE_BUSY`, `SQLITE_FULL` …) of an error of libsql, @libsql/client or Drizzle, if it has one. */
export function sqliteCode(error: unknown): string | undefined {
  const code = sqliteExtendedCode(error);
  return code?.match(/^SQLITE_[A-Z]+/)?.[0];
}

const CAUSES_MAX = 5;

/** The extended code, for example `SQLITE_CONSTRAINT_UNIQUE`. */
export function sqliteExtendedCode(error: unknown): string | undefined {
  let found: string | undefined;
  for (let depth = 0; depth < CAUSES_MAX && error instanceof Error; depth += 1) {
    const { code, extendedCode } = error as { code?: unknown; extendedCode?: unknown };
    if (typeof extendedCode === 'string') return extendedCode;
    // A remote server reports only the base code, and names the constraint in its message.
    if (code === 'SQLITE_CONSTRAINT' && error.message.includes('UNIQUE constraint failed'))
      return 'SQLITE_CONSTRAINT_UNIQUE';
    if (typeof code === 'string' && code.startsWith('SQLITE_')) found = code;
    error = error.cause;
  }
  return found;
}

const REFUSALS = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_READONLY',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
]);
/** Errors of an unreachable or overloaded server: from Bun's fetch, the operating system and @libsql/client. */
const UNREACHABLE =
  /^(ConnectionRefused|ConnectionReset|ConnectionClosed|FailedToOpenSocket|Timeout|ECONN[A-Z]+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|SERVER_ERROR|HRANA_.*)$/;

/** The database cannot take the statement for now, and may later: locked, full, read-only, unreachable. */
export function isDatabaseRefusal(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code !== undefined) return REFUSALS.has(code);
  for (let depth = 0; depth < CAUSES_MAX && error instanceof Error; depth += 1) {
    const own = (error as { code?: unknown }).code;
    if (typeof own === 'string' && UNREACHABLE.test(own)) return true;
    if (error.name === 'TimeoutError') return true; // a server that is silent (REMOTE_PATIENCE_MS)
    error = error.cause;
  }
  return false;
}
