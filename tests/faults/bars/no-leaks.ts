import Database from 'libsql';
import { eventFor } from '../../support/event.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

const SECRET_WORD = 'secret-word';
const PASSWORD = 'Hunter2-is-my-secret';
/** Texts that no answer may hold: our files, SQL, what was said in confidence. */
const LEAK =
  /secret-word|hunter2|argon2|sqlite|drizzle|elysia|typebox|params|select |insert |update |delete from|trigger|\.ts\b|node_modules|\bat [\w.<>]+ \(|stack|schema|\$eq|"found"|"expected"/i;

type Ask = (stage: Stage) => Promise<{ status: number; body: unknown }>;
const post =
  (path: string, body: unknown): Ask =>
  (stage) =>
    stage.call('POST', path, { token: stage.token, body });

/** Tables that fail at an operation, and who meets them. */
const BROKEN: [string, string, Ask][] = [
  ['users', 'insert', post('/auth/register', { email: 'new@example.com', password: PASSWORD })],
  ['logins', 'insert', post('/auth/register', { email: 'new@example.com', password: PASSWORD })],
  ['token_pairs', 'insert', post('/auth/login', { email: 'owner@example.com', password: 'Correct-horse-9' })],
  ['api_keys', 'insert', post('/auth/api-keys', { name: PASSWORD })],
  [
    'users',
    'update',
    (stage) => stage.call('PATCH', '/auth/me', { token: stage.token, body: { name: 'x' } }),
  ],
  ['websites', 'insert', post('/websites', { name: 'n', domain: 'https://new.example' })],
  ['websites', 'update', (stage) => ofWebsite(stage, 'PUT', '', { name: PASSWORD })],
  ['websites', 'update', (stage) => ofWebsite(stage, 'PATCH', '/settings', { isPublic: true })],
  ['websites', 'update', (stage) => ofWebsite(stage, 'DELETE', '')],
  ['events', 'insert', (stage) => post('/events', eventFor(stage.website.trackingCode))(stage)],
  [
    'events',
    'insert',
    (stage) => post('/events/batch', { events: [eventFor(stage.website.trackingCode)] })(stage),
  ],
  ['event_counts', 'insert', (stage) => post('/events', eventFor(stage.website.trackingCode))(stage)],
  ['logins', 'update', (stage) => stage.call('POST', '/auth/logout-all', { token: stage.token })],
];

/** Refusals that could repeat what they refuse. */
const REFUSED: Ask[] = [
  post('/auth/register', { email: 'owner@example.com', password: PASSWORD }),
  post('/auth/register', { email: 5, password: PASSWORD }),
  post('/auth/register', { email: { password: PASSWORD }, password: [PASSWORD] }),
  post('/auth/login', { email: 'owner@example.com', password: PASSWORD }),
  post('/auth/login', { password: PASSWORD, [SECRET_WORD]: 1 }),
  post('/auth/login', { email: { toString: PASSWORD }, password: PASSWORD }),
  post('/auth/refresh', { refreshToken: SECRET_WORD }),
  post('/auth/api-keys', { name: 5, scopes: [SECRET_WORD] }),
  post('/websites', { name: 'n', domain: SECRET_WORD }),
  post('/websites', { name: 'Example', domain: 'https://example.com' }),
  post('/events', { trackingCode: SECRET_WORD, url: SECRET_WORD }),
  post('/events/batch', { events: SECRET_WORD }),
  (stage) => stage.call('GET', `/events/${SECRET_WORD}`, stage),
  (stage) => stage.call('GET', `/events?trackingCode=${SECRET_WORD}`, stage),
  (stage) => ofWebsite(stage, 'GET', `/stats?filters=${SECRET_WORD}`),
];

/** Failures of failing-program.ts, and their log lines. */
const FAILURES = [
  ['SIGUSR1', 'in a rejection'],
  ['SIGUSR2', 'in a timer'],
] as const;

/** Failures of the database, of the code and of what is sent, in both modes; the process outlives each of them. */
export async function tryLeaks(_: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  let provoked = 0;
  for (const NODE_ENV of ['production', 'development']) {
    const stage = await openStage({
      environment: { NODE_ENV },
      program: [process.execPath, 'tests/faults/failing-program.ts'],
    });
    const judge = async (name: string, ask: Ask) => {
      provoked += 1;
      const { status, body } = await ask(stage);
      const text = JSON.stringify(body);
      if (status < 400 && status !== 207) faults.push(`${NODE_ENV}, ${name}: ${status}`);
      if (LEAK.test(text)) faults.push(`${NODE_ENV}, ${name}: ${text}`);
    };
    for (const [index, ask] of REFUSED.entries()) await judge(`refusal ${index}`, ask);
    for (const [table, operation, ask] of BROKEN) {
      change(
        stage,
        `create trigger broken before ${operation} on ${table} begin select raise(abort, '${SECRET_WORD}'); end`,
      );
      await judge(`${operation} of ${table}`, ask);
      change(stage, 'drop trigger broken');
    }
    for (const [signal, failure] of FAILURES) {
      provoked += 1;
      stage.service().process.kill(signal);
      if (!(await until(() => stage.service().errors().includes(failure) || undefined)))
        faults.push(`the log does not tell of a failure ${failure}`);
      const { status } = await stage.call('GET', '/auth/me', stage);
      if (status !== 200) faults.push(`${NODE_ENV}, after ${signal}: ${status}`);
    }
    if ((await stage.service().stop()) !== 0) faults.push(`${NODE_ENV}: it did not stop in order`);
    stage.remove();
  }
  return {
    figure: `${provoked} provoked failures, ${faults.length} told too much or ended the process`,
    faults,
  };
}

function ofWebsite(stage: Stage, method: string, path: string, body?: unknown) {
  return stage.call(method, `/websites/${stage.website.id}${path}`, { token: stage.token, body });
}

function change(stage: Stage, sql: string): void {
  const database = new Database(stage.databasePath);
  database.exec('PRAGMA busy_timeout = 5000');
  database.exec(sql);
  database.close();
}
