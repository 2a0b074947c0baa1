import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createVisitorStore, VisitorCodes } from '../../src/analytics/embedded/dictionary/visitor-codes.ts';
import { packId } from '../../src/db/packed-id.ts';
import type { StoredId } from '../../src/log/follower.ts';
import { createTestLog, type TestLog, WEBSITE } from './support.ts';

let log: TestLog;
beforeEach(async () => {
  log = await createTestLog();
});
afterEach(() => log.close());

const uuid = (index: number) => packId(`00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`);
/** Every third one is text. */
const some = (count: number) =>
  Array.from({ length: count }, (_, index) => (index % 3 === 0 ? `visitor ${index}` : uuid(index)));

/** @param count the greatest code that was given before */
function open(count = 0) {
  return new VisitorCodes(createVisitorStore(log.database), WEBSITE, count);
}

function save(codes: VisitorCodes): void {
  for (const write of codes.beginSave()) write();
  codes.endSave();
}

/** As the log is read: in batches, each looked up ahead. */
function internAll(codes: VisitorCodes, ids: readonly StoredId[]): number[] {
  const found: number[] = [];
  for (let start = 0; start < ids.length; start += 500) {
    const batch = ids.slice(start, start + 500);
    codes.expect(batch);
    found.push(...batch.map((id) => codes.intern(id)));
  }
  return found;
}

describe('the codes of visitors', () => {
  test('are in the order in which they came, and the same after a restart, whatever their ids look like', () => {
    const ids = some(300);
    const before = open();
    expect(internAll(before, ids)).toEqual(ids.map((_, index) => index + 1));
    save(before);
    const after = open(300);
    expect(internAll(after, [...ids, uuid(1_000)])).toEqual([...ids.map((_, index) => index + 1), 301]);
    expect(after.count).toBe(301);
  });

  test('stay when there are more of them than memory holds, saved or not', () => {
    const ids = some(30_000);
    const codes = open();
    const first = internAll(codes, ids);
    expect(internAll(codes, ids)).toEqual(first);
    save(codes);
    expect(internAll(codes, some(60_000)).slice(0, 30_000)).toEqual(first);
    expect(internAll(codes, ids)).toEqual(first);
    expect(codes.count).toBe(60_000);
  });

  test('are found without being given', () => {
    const codes = open();
    internAll(codes, [uuid(1), 'text']);
    save(codes);
    const again = open(2);
    expect([uuid(1), 'text', uuid(2), 'other'].map((id) => again.find(id))).toEqual([1, 2, 0, 0]);
    expect(again.count).toBe(2);
  });
});
