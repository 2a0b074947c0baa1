import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { StoredId } from '../../src/analytics/id-numbers.ts';
import { createVisitorNumbers } from '../../src/analytics/visitor-numbers.ts';
import { packId } from '../../src/db/packed-id.ts';
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

function open() {
  return createVisitorNumbers(log.database, WEBSITE);
}

function save(numbers: ReturnType<typeof open>): void {
  for (const write of numbers.unsaved()) write();
  numbers.saved();
}

/** As the log is read: in batches, each looked up ahead. */
function internAll(numbers: ReturnType<typeof open>, ids: readonly StoredId[]): number[] {
  const found: number[] = [];
  for (let start = 0; start < ids.length; start += 500) {
    const batch = ids.slice(start, start + 500);
    numbers.expect(batch);
    found.push(...batch.map((id) => numbers.intern(id)));
  }
  return found;
}

describe('the numbers of visitors', () => {
  test('are in the order in which they came, and the same after a restart, whatever their ids look like', () => {
    const ids = some(300);
    const before = open();
    expect(internAll(before, ids)).toEqual(ids.map((_, index) => index + 1));
    save(before);
    const after = open();
    expect(internAll(after, [...ids, uuid(1_000)])).toEqual([...ids.map((_, index) => index + 1), 301]);
    expect(after.count()).toBe(301);
  });

  test('stay when there are more of them than memory holds, saved or not', () => {
    const ids = some(30_000);
    const numbers = open();
    const first = internAll(numbers, ids);
    expect(internAll(numbers, ids)).toEqual(first);
    save(numbers);
    expect(internAll(numbers, some(60_000)).slice(0, 30_000)).toEqual(first);
    expect(internAll(numbers, ids)).toEqual(first);
    expect(numbers.count()).toBe(60_000);
  });

  test('are found without being given', () => {
    const numbers = open();
    internAll(numbers, [uuid(1), 'text']);
    save(numbers);
    const again = open();
    expect([uuid(1), 'text', uuid(2), 'other'].map((id) => again.find(id))).toEqual([1, 2, 0, 0]);
    expect(again.count()).toBe(2);
  });
});
