import type { Client, InArgs, InStatement } from '@libsql/client/sqlite3';

/** A server that takes the connection and then is silent would be waited for without end. */
const REMOTE_PATIENCE_MS = 10_000;

export type RemoteTarget = { url: string; authToken: string | undefined };

/** A client of a libSQL server, over HTTP. Loaded only when it is needed: an embedded database does without. */
export async function openRemoteClient({ url, authToken }: RemoteTarget): Promise<Client> {
  const { createClient } = await import('@libsql/client/http');
  const client = createClient({
    url,
    ...(authToken && { authToken }),
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(REMOTE_PATIENCE_MS) }),
  });
  const execute = client.execute.bind(client);
  const batch = client.batch.bind(client);
  client.execute = (statement: InStatement | string, args?: InArgs) =>
    execute(toWhole(typeof statement === 'string' ? { sql: statement, ...(args && { args }) } : statement));
  client.batch = (statements, mode) =>
    batch(
      statements.map((statement) => toWhole(Array.isArray(statement) ? toObject(statement) : statement)),
      mode,
    );
  return client;
}

/**
 * Texts go to the server as JSON, which cannot carry half a surrogate pair: the whole request would be refused. It
 * becomes U+FFFD, as in the embedded database.
 */
function toWhole(statement: InStatement): InStatement {
  if (typeof statement === 'string' || statement.args === undefined) return statement;
  return { ...statement, args: wholeArgs(statement.args) };
}

function toObject([sql, args]: [string, InArgs?]): InStatement {
  return { sql, ...(args && { args }) };
}

function wholeArgs(args: InArgs): InArgs {
  if (Array.isArray(args)) return args.map(wholeText);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, wholeText(value)]));
}

function wholeText<Value>(value: Value | string): Value | string {
  return typeof value === 'string' && !value.isWellFormed() ? value.toWellFormed() : value;
}
