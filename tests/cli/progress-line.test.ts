import { expect, test } from 'bun:test';
import { toBar, toLine } from '../../src/cli/progress-line.ts';

const MIB = 1024 * 1024;
const half = { name: 'copying', unit: 'bytes', done: 50 * MIB, total: 100 * MIB, elapsedMs: 5_000 } as const;

test('a bar tells the share, the rate and the rest', () => {
  expect(toBar(half)).toBe('copying  [############------------]  50 %  10.0 MiB/s  5 s left');
});

test('a line tells the same', () => {
  expect(toLine(half)).toBe('copying: 50 %, 10.0 MiB/s, 5 s left');
  expect(toLine({ ...half, unit: 'events', done: 400, total: 60_000 })).toBe(
    'copying: 0 %, 80 events/s, 13 min left',
  );
});

test('what is not finished is never 100 %', () => {
  expect(toLine({ ...half, done: 120 * MIB })).toBe('copying: 99 %, 24.0 MiB/s, 0 s left');
});

test('the line has no rate without a total or at the start', () => {
  expect(toBar({ ...half, total: undefined })).toBe('copying  5 s');
  expect(toLine({ ...half, total: undefined })).toBe('copying: 5 s');
  expect(toLine({ ...half, done: 0 })).toBe('copying: 0 %');
});
