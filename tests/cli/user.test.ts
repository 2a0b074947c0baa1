import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '../support/program.ts';
import { createTestService, PASSWORD, type TestService } from '../support/service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'pagemeter-cli-'));
/** A link to itself. */
const loop = join(dataDir, 'loop');
symlinkSync('loop', loop);

/** A service that runs on the same file all the while. */
let service: TestService;
let accounts: TestService['accounts'];

beforeAll(async () => {
  service = await createTestService({ database: { kind: 'file', path: join(dataDir, 'pagemeter.db') } });
  accounts = service.accounts;
});
afterAll(async () => {
  await service.close();
  rmSync(dataDir, { recursive: true });
});

/** Runs the command in a process of its own. */
async function run(
  args: string[],
  { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {},
) {
  const process_ = Bun.spawn([...PROGRAM, ...args], {
    env: { DATA_DIR: dataDir, ...env },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(process_.stdout).text(),
    new Response(process_.stderr).text(),
  ]);
  return { code: await process_.exited, out, err };
}

async function register(email: string) {
  const { user, tokens } = await accounts.register({ email, password: PASSWORD, name: 'Ada' });
  const identify = () => accounts.identify({ kind: 'token', token: tokens.accessToken });
  return { apiKey: user.apiKey, identify };
}

const logIn = (email: string, password: string) =>
  accounts.login({ email, password }, { check() {}, trust: () => 'trusted', failed() {}, succeeded() {} });

describe('pagemeter user', () => {
  test('list shows every account in the order of their addresses', async () => {
    await register('Zoe@example.com');
    await register('adam@example.com');
    const { code, out, err } = await run(['user', 'list']);
    const line = (email: string) => `${email}\tactive\t2026-11-20T12:00:00.000Z\tAda\n`;
    expect({ code, out, err }).toEqual({
      code: 0,
      out: line('adam@example.com') + line('Zoe@example.com'),
      err: '',
    });
  });

  test('deactivate and reactivate are seen by a running service at the next request', async () => {
    const { apiKey, identify } = await register('Off@example.com');
    const inactive = { code: 'FORBIDDEN', message: 'Account is inactive' };
    expect(await identify()).toMatchObject({ email: 'Off@example.com' });

    expect(await run(['user', 'deactivate', 'OFF@example.com'])).toEqual({
      code: 0,
      out: 'Off@example.com is inactive: its password, tokens and API keys are refused.\n',
      err: '',
    });
    await expect(identify()).rejects.toMatchObject(inactive);
    await expect(logIn('off@example.com', PASSWORD)).rejects.toMatchObject(inactive);
    await expect(accounts.identify({ kind: 'key', key: apiKey })).rejects.toMatchObject(inactive);
    expect((await run(['user', 'list'])).out).toContain('Off@example.com\tinactive\t');

    expect(await run(['user', 'reactivate', 'off@example.com'])).toEqual({
      code: 0,
      out: 'Off@example.com is active.\n',
      err: '',
    });
    expect(await identify()).toMatchObject({ email: 'Off@example.com' });
  });

  test('set-password reads standard input and ends all logins', async () => {
    const { identify } = await register('lost@example.com');
    const { code, out, err } = await run(['user', 'set-password', 'lost@example.com'], {
      stdin: 'Found it again\nanother line',
    });
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'The password of lost@example.com is changed, and all its logins have ended.\n',
      err: '',
    });
    expect(await identify()).toBeUndefined();
    await expect(logIn('lost@example.com', PASSWORD)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await logIn('lost@example.com', 'Found it again')).user.email).toBe('lost@example.com');
  });

  const faults: [string, string[], Parameters<typeof run>[1], number, string][] = [
    ['an unknown address', ['user', 'deactivate', 'no@b.de'], {}, 1, 'No account has the address no@b.de.'],
    [
      'a weak password',
      ['user', 'set-password', 'adam@example.com'],
      { stdin: 'weak\n' },
      1,
      'Password must be at least 8 characters.\nPassword must contain at least one uppercase letter.',
    ],
    [
      'a common password',
      ['user', 'set-password', 'adam@example.com'],
      { stdin: 'Welcome123\n' },
      1,
      'Password is one of the most common ones; choose another.',
    ],
    ['a missing address', ['user', 'deactivate'], {}, 2, "error: missing required argument 'EMAIL'"],
    [
      'a password as an argument',
      ['user', 'set-password', 'a@b.de', 'X'],
      {},
      2,
      "error: too many arguments for 'set-password'",
    ],
    ['an unknown command', ['user', 'constructor'], {}, 2, "error: unknown command 'constructor'"],
    ['help for an unknown command', ['help', 'users'], {}, 2, "error: unknown command 'users'"],
    ['help for an unknown one below', ['help', 'user', 'x'], {}, 2, "error: unknown command 'x'"],
    [
      'an address of no service',
      ['health', '--url', 'localhost:3000'],
      {},
      2,
      'such as http://localhost:3000',
    ],
    ['an unknown topic', ['users'], {}, 2, "error: unknown command 'users'\n(Did you mean user?)"],
    ['a faulty setting', ['user', 'list'], { env: { PORT: 'x' } }, 78, 'PORT must be a whole number'],
    [
      'a directory without a database',
      ['user', 'list'],
      { env: { DATA_DIR: join(dataDir, 'none') } },
      1,
      `There is no database at ${join(dataDir, 'none', 'pagemeter.db')}.`,
    ],
    [
      'a directory that cannot be entered',
      ['user', 'list'],
      { env: { DATA_DIR: loop } },
      1,
      `${join(loop, 'pagemeter.db')} cannot be looked at: ELOOP`,
    ],
    ['a database in memory', ['user', 'list'], { env: { DATABASE_URL: ':memory:' } }, 1, 'is in the memory'],
  ];
  test.each(faults)('says what is wrong with %s', async (_sentence, args, options, code, sentence) => {
    const result = await run(args, options);
    expect(result).toEqual({ code, out: '', err: expect.stringContaining(sentence) });
  });

  test.each([
    [['--help']],
    [['help']],
    [['user', '--help']],
    [['help', 'user']],
    [['user', 'list', '--help']],
    [['help', 'user', 'list']],
  ])('explains %p', async (args) => {
    const help = await run(args);
    expect(help).toEqual({ code: 0, out: expect.stringMatching(/^Usage: pagemeter /), err: '' });
    const topic = args.filter((arg) => !arg.includes('help')).join(' ');
    expect(help.out).toContain(topic ? `Usage: pagemeter ${topic} ` : 'list every setting');
  });

  test('a topic without a command is explained too, as a fault', async () => {
    const { code, out, err } = await run(['user']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('set-password <EMAIL>');
  });
});
