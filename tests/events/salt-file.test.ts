import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSaltFile } from '../../src/events/salt-file.ts';
import { createDataDir } from '../support/process.ts';

let folder: ReturnType<typeof createDataDir>;
let path: string;
const errors: unknown[] = [];
const open = (at: string | undefined = path) => openSaltFile(at, (error) => errors.push(error));
/** A copy, as text that finds bytes. */
const saltOf = (store: ReturnType<typeof open>, zone: string, day: number) =>
  Buffer.from(store.open(zone, day) as Uint8Array).toString('latin1');

beforeEach(() => {
  folder = createDataDir();
  path = join(folder.path, 'salts');
  errors.length = 0;
});
afterEach(() => folder.remove());

describe('the file of salts', () => {
  test('gives a restart the salt of the day, and each zone and day its own', () => {
    const first = open();
    const salts = [saltOf(first, 'UTC', 1), saltOf(first, 'UTC', 2), saltOf(first, 'Europe/Berlin', 1)];
    const second = open();
    expect([saltOf(second, 'UTC', 1), saltOf(second, 'UTC', 2), saltOf(second, 'Europe/Berlin', 1)]).toEqual(
      salts,
    );
    expect(new Set(salts).size).toBe(3);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('is overwritten in place when a day is over', () => {
    const store = open();
    const past = saltOf(store, 'Europe/Berlin', 1);
    const running = saltOf(store, 'UTC', 2);
    expect(readFileSync(path, 'latin1')).toContain(past);
    const { ino } = statSync(path);
    store.forget((_, day) => day < 2);
    const text = readFileSync(path, 'latin1');
    expect([text.includes(past), text.includes(running), statSync(path).ino]).toEqual([false, true, ino]);
    expect(saltOf(open(), 'Europe/Berlin', 1)).not.toBe(past);
  });

  test.each([
    ['empty', ''],
    ['torn', '\u0003\u0001'],
    ['of other bytes', 'x'.repeat(100)],
  ])('makes a new salt when it is %s', (_, text) => {
    writeFileSync(path, text);
    const salt = saltOf(open(), 'UTC', 1);
    expect(salt).toHaveLength(32);
    expect(saltOf(open(), 'UTC', 1)).toBe(salt);
    expect(errors).toEqual([]);
  });

  test('reports a file that cannot be written, and keeps the salt as long as the process lasts', () => {
    const store = open(join(folder.path, 'missing', 'salts'));
    expect(saltOf(store, 'UTC', 1)).toBe(saltOf(store, 'UTC', 1));
    expect(errors).toHaveLength(1);
  });
});
