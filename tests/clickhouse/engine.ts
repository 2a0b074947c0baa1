import { type ChdbResult, Session } from 'chdb';

/**
 * The engine of ClickHouse with its HTTP interface, as far as the official client uses it: the engine is a library
 * (chdb), and this program makes a server of it. One statement after the other. `bun engine.ts PORT FOLDER`
 */

const [port = '0', folder = ''] = Bun.argv.slice(2);
const session = new Session(folder);
/** With the defaults of an older version, as far as this one has kept them: `CLICKHOUSE_COMPATIBILITY=24.8`. */
const { CLICKHOUSE_COMPATIBILITY: compatibility } = process.env;

/** As a real server has them in its configuration. */
const USERS: Record<string, { password: string; isReadOnly: boolean }> = {
  default: { password: '', isReadOnly: false },
  meter: { password: 'secret:/@', isReadOnly: false },
  reader: { password: 'secret', isReadOnly: true },
};
/** Parameters of an address that are not settings. */
const NO_SETTINGS = new Set([
  'query',
  'database',
  'default_format',
  'query_id',
  'session_id',
  'session_timeout',
  'compress',
  'decompress',
  'enable_http_compression',
  'send_progress_in_http_headers',
  'wait_end_of_query',
]);
const READS = /^\s*(SELECT|WITH|SHOW|EXISTS|DESCRIBE)\b/i;
const AUTHENTICATION_FAILED = 516;
const UNKNOWN_DATABASE = 81;
const READONLY = 164;
const STATUS: Record<number, number> = { [AUTHENTICATION_FAILED]: 403, [UNKNOWN_DATABASE]: 404, 60: 404 };

let last: Promise<unknown> = Promise.resolve();

if (compatibility) await run(`SET compatibility = '${compatibility}'`);

const server = Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  idleTimeout: 0,
  maxRequestBodySize: 2 ** 30,
  fetch(request) {
    const answer = last.then(() => respond(request));
    last = answer;
    return answer;
  },
});
console.log(`ready ${server.port}`);

async function respond(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname === '/ping') return new Response('Ok.\n');
  try {
    return await answer(request, url.searchParams);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [found = `Code: 1002. ${message}`, code = '1002'] = /Code: (\d+)\.[\s\S]*/.exec(message) ?? [];
    return new Response(`${found} (version 26.7.2.1)\n`, {
      status: STATUS[Number(code)] ?? 500,
      headers: { 'X-ClickHouse-Exception-Code': code },
    });
  }
}

async function answer(request: Request, parameters: URLSearchParams): Promise<Response> {
  const user = findUser(request.headers);
  const database = parameters.get('database') ?? 'default';
  const body = await request.text();
  const written = parameters.get('query');
  const query = written === null ? body : `${written}\n${body}`;
  const settings = [...parameters].filter(([name]) => !NO_SETTINGS.has(name));
  if (user.isReadOnly && !READS.test(query))
    throw refuse(READONLY, 'reader: Cannot execute query in readonly mode.', 'READONLY');
  await prepare(database, new Map(settings));
  const result = await run(query, parameters.get('default_format') ?? 'TabSeparated');
  return new Response(Uint8Array.from(result.bytes()));
}

let usedDatabase = 'default';
let used: ReadonlyMap<string, string> = new Map();

/** There is one session: what a request asks for, and nothing else, is set in it. */
async function prepare(database: string, settings: ReadonlyMap<string, string>): Promise<void> {
  if (database !== usedDatabase) await run(`USE ${database}`);
  usedDatabase = database;
  for (const name of used.keys()) if (!settings.has(name)) await run(`SET ${name} = DEFAULT`);
  for (const [name, value] of settings) if (used.get(name) !== value) await run(`SET ${name} = '${value}'`);
  used = settings;
}

function run(query: string, format = 'TabSeparated'): Promise<ChdbResult> {
  return session.queryAsync(query, { format });
}

function findUser(headers: Headers) {
  const credentials = headers.get('authorization')?.slice('Basic '.length) ?? btoa('default:');
  const [name = '', ...rest] = Buffer.from(credentials, 'base64').toString().split(':');
  const user = USERS[name];
  if (user && user.password === rest.join(':')) return user;
  const words = 'Authentication failed: password is incorrect, or there is no user with such name.';
  throw refuse(AUTHENTICATION_FAILED, `${name}: ${words}`, 'AUTHENTICATION_FAILED');
}

function refuse(code: number, message: string, name: string): Error {
  return new Error(`Code: ${code}. DB::Exception: ${message} (${name})`);
}
