import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalDatabase } from '../../src/db/local-database.ts';
import { createInstallation, type Installation } from '../backup/support.ts';
import { runCommand, spawnCommand } from '../support/command.ts';
import { runOnTerminal } from '../support/on-terminal.ts';
import { PROGRAM } from '../support/program.ts';

setDefaultTimeout(60_000);

/** Output of this length means that the demo has begun to load. */
const AT_WORK_BYTES = 2_000_000;

let installation: Installation;
const env = () => ({ DATA_DIR: installation.path });
const owner = async () => (await runCommand(env(), 'user', 'list')).out.split('\t')[0] ?? '';

beforeAll(async () => {
  installation = await createInstallation(10);
});
afterAll(() => installation.remove());

test('a password that is typed is not shown', async () => {
  const terminal = runOnTerminal(env(), 'user', 'set-password', await owner());
  await terminal.waitFor('it is not shown');
  terminal.type('Correct-horse-10\r');
  expect(await terminal.exited).toBe(0);
  expect(terminal.shown()).toContain('is changed');
  expect(terminal.shown()).not.toContain('horse');
});

test('Ctrl-C in place of a password changes nothing', async () => {
  const terminal = runOnTerminal(env(), 'user', 'set-password', await owner());
  await terminal.waitFor('it is not shown');
  terminal.type('half\x03');
  expect(await terminal.exited).toBe(130);
  expect(terminal.shown().trimEnd().split('\n')).toHaveLength(1);
});

test('no password is asked for an account that is not there', async () => {
  const terminal = runOnTerminal(env(), 'user', 'set-password', 'unknown@example.com');
  expect(await terminal.exited).toBe(1);
  expect(terminal.shown()).not.toContain('New password');
});

test('a backup shows a bar, and then what it has made', async () => {
  const terminal = runOnTerminal(env(), 'backup');
  expect(await terminal.exited).toBe(0);
  expect(terminal.shown()).toMatch(/verifying {2}\[[#-]{24}\] {2}\d+ %/);
  expect(terminal.shown().split('\r\x1b[2K').at(-1)).toContain('10 events, 1 website');
});

test('no progress bar is shown without a terminal, nor with --quiet', async () => {
  expect(await runCommand(env(), 'rebuild')).toMatchObject({ code: 0, err: '' });
  const terminal = runOnTerminal(env(), 'rebuild', '--quiet');
  expect(await terminal.exited).toBe(0);
  expect(terminal.shown()).not.toContain('[');
});

test('Ctrl-C stops the loading of the demo, of which nothing stays', async () => {
  const terminal = runOnTerminal(env(), 'demo', 'load', await owner());
  await terminal.waitFor('events/s');
  terminal.type('\x03');
  expect(await terminal.exited).toBe(130);
  expect(terminal.shown()).toContain('Stopped. What was loaded is removed again.');
  expect((await runCommand(env(), 'demo', 'remove', await owner())).err).toContain('no demo website');
});

test('Ctrl-C leaves nothing of a copy', async () => {
  const terminal = runOnTerminal(env(), 'backup', '--to', join(installation.path, 'other'));
  await terminal.waitFor('copying');
  terminal.type('\x03');
  const code = await terminal.exited;
  const left = existsSync(join(installation.path, 'other'))
    ? readdirSync(join(installation.path, 'other')).filter((name) => name.endsWith('.partial'))
    : [];
  expect({ code, left }).toEqual({ code: 130, left: [] });
});

test('killing a command also ends the process that does its work', async () => {
  const watcher = spawnCommand(env(), 'demo', 'load', await owner());
  const children = () => readFileSync(`/proc/${watcher.pid}/task/${watcher.pid}/children`, 'utf8').trim();
  while (children() === '') await Bun.sleep(10);
  const worker = children();
  const written = () => Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${worker}/io`, 'utf8'))?.[1]);
  while (written() < AT_WORK_BYTES) await Bun.sleep(10);
  watcher.kill('SIGKILL');
  while (existsSync(`/proc/${worker}`)) await Bun.sleep(50);
  const database = openLocalDatabase(join(installation.path, 'pagemeter.db'), 'normal');
  expect(database.prepare('SELECT is_unfinished FROM websites').raw().all([])).toContainEqual([1]);
  database.close();
});

test('a command succeeds when its output is not read', async () => {
  const command = `${PROGRAM.join(' ')} user --help | true`;
  const child = Bun.spawn(['bash', '-o', 'pipefail', '-c', command], { stdout: 'pipe', stderr: 'pipe' });
  expect(await new Response(child.stderr).text()).toBe('');
  expect(await child.exited).toBe(0);
});
