import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restoreBackup } from '../../src/backup/restore.ts';
import { examineCopies } from '../../src/doctor/examine-copies.ts';
import { runCommand } from '../support/command.ts';
import { countEvents, createInstallation, filesOf } from './support.ts';

setDefaultTimeout(60_000); // some tests start processes

/** The SHA-256 stored next to each copy reveals a changed bit. */

const EVENTS = 1_000;
const FLIPS = 64;
const NAME = 'pagemeter-20261120T120000Z.db';

let installation: Awaited<ReturnType<typeof createInstallation>>;
let bytes: Buffer;
let checksum: string;
let place: string;
let places = 0;
beforeAll(async () => {
  installation = await createInstallation(EVENTS);
  const path = join(installation.path, 'made', NAME);
  const made = await runCommand({ DATA_DIR: installation.path }, 'backup', '--to', path);
  expect(made).toMatchObject({ code: 0, err: '' });
  bytes = readFileSync(path);
  checksum = readFileSync(`${path}.sha256`, 'utf8');
});
beforeEach(() => {
  places += 1;
  place = join(installation.path, `place-${places}`);
  mkdirSync(place);
});
afterAll(() => installation.remove());

/** The copy in a directory of its own. @param checksumText null: without its checksum */
function put(content: Uint8Array = bytes, checksumText: string | null = checksum): string {
  const path = join(place, NAME);
  writeFileSync(path, content);
  if (checksumText === null) rmSync(`${path}.sha256`, { force: true });
  else writeFileSync(`${path}.sha256`, checksumText);
  return path;
}

const restore = (path: string, nowMs = 0) =>
  restoreBackup({
    from: { kind: 'file', path },
    databasePath: join(place, 'data', 'pagemeter.db'),
    s3: undefined,
    isReplacing: true,
    nowMs,
  });

function flipped(at: number, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
}

describe('the checksum of a copy', () => {
  test.skipIf(Bun.which('sha256sum') === null)('is what sha256sum -c reads', () => {
    put();
    const told = Bun.spawnSync(['sha256sum', '-c', `${NAME}.sha256`], { cwd: place });
    expect(told.stdout.toString()).toBe(`${NAME}: OK\n`);
  });

  test('shows restore and doctor a single changed bit, wherever it is', async () => {
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const path = put(flipped(Math.floor(((flip + 0.5) * bytes.length) / FLIPS), flip % 8));
      await expect(restore(path)).rejects.toThrow(
        `${path} is not what ${NAME}.sha256 says: one of the two has changed since the copy was made.`,
      );
      expect(examineCopies([place])).toEqual([
        {
          check: 'copies',
          level: 'fault',
          message: `Copies that are not what their .sha256 says: ${path}.`,
          advice: 'Remove them, and make another one: pagemeter backup',
        },
      ]);
    }
    expect(existsSync(join(place, 'data', 'pagemeter.db'))).toBe(false);
  });

  test('agrees with a copy as it was made', async () => {
    const path = put();
    expect(await restore(path)).toMatchObject({ events: EVENTS, isChecked: true });
    expect(countEvents(join(place, 'data', 'pagemeter.db'))).toBe(EVENTS);
    expect(examineCopies([place])).toEqual([
      { check: 'copies', level: 'ok', message: 'Copies that are what their .sha256 says: 1.' },
    ]);
  });

  test('is missed, and the copy restored all the same', async () => {
    const path = put(bytes, null);
    const DATA_DIR = join(place, 'data');
    const { code, out } = await runCommand({ DATA_DIR }, 'restore', path);
    expect({ code, out }).toEqual({
      code: 0,
      out:
        `${join(DATA_DIR, 'pagemeter.db')} is restored: ${EVENTS} events, 1 website, verified.\n` +
        `There was no ${NAME}.sha256 next to it: changed bits may have gone unnoticed.\n`,
    });
    expect(examineCopies([place])).toEqual([
      {
        check: 'copies',
        level: 'warn',
        message: `Copies without a .sha256: ${path}.`,
        advice: 'An earlier version made them, or they were moved alone. restore takes them, and says so.',
      },
    ]);
  });

  test.each([
    ['is empty', ''],
    ['is a text', 'nothing that sha256sum would write\n'],
    ['is too short', 'abc123  x\n'],
  ])('is refused when it %s', async (_how, text) => {
    const path = put(bytes, text);
    await expect(restore(path)).rejects.toThrow(
      `${path}.sha256 holds no SHA-256. If the copy is known to be right, remove that file.`,
    );
    expect(examineCopies([place])).toMatchObject([{ level: 'fault' }]);
  });

  test('is read as other programs write it', async () => {
    const texts = [
      checksum.toUpperCase(),
      checksum.replace('  ', ' *'),
      `\\${checksum}`,
      checksum.slice(0, 64),
    ];
    for (const [nowMs, text] of texts.entries())
      expect(await restore(put(bytes, text), nowMs * 1_000)).toMatchObject({ isChecked: true });
  });

  test('is not written over', async () => {
    const path = join(place, 'mine.db');
    writeFileSync(`${path}.sha256`, 'mine');
    const made = await runCommand({ DATA_DIR: installation.path }, 'backup', '--to', path);
    expect(made).toEqual({ code: 1, out: '', err: `${path}.sha256 exists already.\n` });
    expect(filesOf(place)).toEqual(['mine.db.sha256']);
  });
});
