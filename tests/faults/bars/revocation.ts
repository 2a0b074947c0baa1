import { PROGRAM } from '../../support/program.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const PASSWORD = 'Correct-horse-9';
const NOTICED_MS_MAX = 1_000;
const PATIENCE_MS = 20_000;

type Login = { email: string; token: string; refreshToken: string };
/** An action that ends a login, and whether it ends the others of its account as well. */
type End = { name: string; endsOthers: boolean; run(stage: Stage, login: Login): Promise<unknown> };

const ENDS: End[] = [
  {
    name: 'logout',
    endsOthers: false,
    run: (stage, { token }) => stage.call('POST', '/auth/logout', { token }),
  },
  {
    name: 'logout everywhere',
    endsOthers: true,
    run: (stage, { token }) => stage.call('POST', '/auth/logout-all', { token }),
  },
  {
    name: 'a deleted account',
    endsOthers: true,
    run: (stage, { token }) => stage.call('DELETE', '/auth/me', { token, body: { password: PASSWORD } }),
  },
  { name: 'a deactivated account', endsOthers: true, run: deactivate },
];

/** Ended logins stay ended, in every spelling of their tokens, also after a restart; no other login ends. */
export async function tryRevocation({ isLong }: BarOptions): Promise<BarResult> {
  const stage = await openStage();
  const faults: string[] = [];
  const dead: [string, Login][] = [];
  const alive: [string, Login][] = [];
  let slowestMs = 0;
  for (const [index, { name, endsOthers, run }] of ENDS.entries()) {
    const email = `person-${index}@example.com`;
    const here = await logIn(stage, 'register', email);
    const elsewhere = await logIn(stage, 'login', email);
    await run(stage, here);
    const endedMs = performance.now();
    while ((await statusOf(stage, here.token)) === 200 && performance.now() - endedMs < PATIENCE_MS)
      await Bun.sleep(5);
    slowestMs = Math.max(slowestMs, performance.now() - endedMs);
    dead.push([name, here]);
    (endsOthers ? dead : alive).push([`${name}, the other login`, elsewhere]);
  }
  if (isLong && slowestMs > NOTICED_MS_MAX)
    faults.push(`it took ${slowestMs.toFixed(0)} ms until a login had ended`);
  faults.push(...(await compare(stage, dead, alive)));
  await stage.service().stop();
  await stage.start();
  faults.push(...(await compare(stage, dead, alive)).map((fault) => `after a restart: ${fault}`));
  await stage.service().stop();
  await stage.start({ JWT_SECRET: 'another secret, which was never used before' });
  faults.push(
    ...(await compare(stage, [...dead, ...alive], [])).map((fault) => `with another secret: ${fault}`),
  );
  await stage.service().stop();
  stage.remove();
  return {
    figure: `${dead.length} ended and ${alive.length} other logins, before and after a restart and with another secret; noticed after ${slowestMs.toFixed(0)} ms at most, ${faults.length} faults`,
    faults,
  };
}

async function compare(
  stage: Stage,
  dead: readonly [string, Login][],
  alive: readonly [string, Login][],
): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, { token, refreshToken }] of dead) {
    for (const spelling of [token, `${token}=`, `${token} `, `${token}\t`, token.slice(0, -1), `${token}.`]) {
      const status = await statusOf(stage, spelling);
      if (![401, 403, 404].includes(status)) faults.push(`${name}: ${status}`); // inactive 403, deleted 404
    }
    const { status } = await stage.call('POST', '/auth/refresh', { body: { refreshToken } });
    if (status !== 401 && status !== 403) faults.push(`${name}: its refresh token got ${status}`);
  }
  for (const [name, { token }] of alive) {
    const status = await statusOf(stage, token);
    if (status !== 200) faults.push(`${name}: ${status}`);
  }
  return faults;
}

async function logIn(stage: Stage, path: 'register' | 'login', email: string): Promise<Login> {
  const { body } = await stage.call('POST', `/auth/${path}`, { body: { email, password: PASSWORD } });
  return { email, token: body.tokens.accessToken, refreshToken: body.tokens.refreshToken };
}

async function statusOf(stage: Stage, token: string): Promise<number> {
  return (await stage.call('GET', '/auth/me', { token })).status;
}

async function deactivate(stage: Stage, { email }: Login): Promise<void> {
  const command = Bun.spawn([...PROGRAM, 'user', 'deactivate', email], {
    env: { PATH: process.env.PATH ?? '', ...stage.environment },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await command.exited) !== 0) throw new Error('The account was not deactivated.');
}
