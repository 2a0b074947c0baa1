import type { LocalDatabase } from '../db/local-database.ts';
import { IdNumbers, type StoredId } from './id-numbers.ts';

/** The visitors of some hours; others are looked up in the table. */
const CACHED_MAX = 20_000;
const LOOKED_UP_AT_ONCE = 50;
/** In place of a number: not in the table. */
const ABSENT = 0xffff_ffff;

/** A website's visitors, numbered 1, 2, … in the order in which they were first seen: small and dense. */
export type VisitorNumbers = {
  /** Those that will be interned next, to be looked up together. */
  expect(ids: readonly StoredId[]): void;
  intern(id: StoredId): number;
  /** 0 when the visitor is not known. */
  find(id: StoredId): number;
  count(): number;
  /** As for terms. The first write is of the greatest number, so that none is given twice after a crash. */
  unsaved(): Iterable<() => void>;
  saved(): void;
};

/** The name of the state that holds the greatest number of a website. */
export function visitorsState(websiteKey: number): string {
  return `visitors ${websiteKey}`;
}

export function createVisitorNumbers(database: LocalDatabase, websiteKey: number): VisitorNumbers {
  const findStored = database.prepare('SELECT number FROM visitors WHERE website_key = ? AND visitor_id = ?');
  const findSome = database
    .prepare(
      `SELECT visitor_id, number FROM visitors WHERE website_key = ? AND visitor_id IN (${Array(LOOKED_UP_AT_ONCE).fill('?')})`,
    )
    .raw(); // bytes are a Buffer in a row like this, in an object they would be an ArrayBuffer
  const insert = database.prepare(
    'INSERT OR IGNORE INTO visitors (website_key, visitor_id, number) VALUES (?, ?, ?)',
  );
  const readState = database.prepare('SELECT value FROM analytics_state WHERE name = ?');
  const writeState = database.prepare('INSERT OR REPLACE INTO analytics_state (name, value) VALUES (?, ?)');
  // Rows of these statements have the columns that they name.
  const newest = readState.get([visitorsState(websiteKey)]) as { value: number } | undefined;
  let last = newest?.value ?? 0;
  const cached = new IdNumbers();
  /** Those that are not on disk yet. */
  const unsaved = new IdNumbers();
  /** What was looked up ahead. */
  let expected = new IdNumbers();

  function inMemory(id: StoredId): number {
    return cached.find(id) || unsaved.find(id);
  }

  function find(id: StoredId): number {
    const hit = inMemory(id);
    if (hit !== 0) return hit;
    const ahead = expected.find(id);
    if (ahead !== 0) return ahead === ABSENT ? 0 : ahead;
    const row = findStored.get([websiteKey, id]) as { number: number } | undefined;
    if (!row) return 0;
    remember(id, row.number);
    return row.number;
  }

  function remember(id: StoredId, number: number): void {
    if (cached.size >= CACHED_MAX) cached.clear();
    cached.set(id, number);
  }

  /** One call instead of fifty: for a number that is not there, each would cost as much as all the rest of an event. */
  function lookUp(ids: StoredId[]): void {
    while (ids.length < LOOKED_UP_AT_ONCE) ids.push(''); // nobody's
    const rows = findSome.all([websiteKey, ...ids]) as [id: StoredId, number: number][];
    for (const [id, number] of rows) {
      expected.set(id, number);
      remember(id, number);
    }
  }

  return {
    find,
    expect(ids) {
      expected = new IdNumbers();
      let some: StoredId[] = [];
      for (const id of ids) {
        if (inMemory(id) !== 0 || expected.find(id) !== 0) continue;
        expected.set(id, ABSENT); // unless it is found
        some.push(id);
        if (some.length < LOOKED_UP_AT_ONCE) continue;
        lookUp(some);
        some = [];
      }
      if (some.length > 0) lookUp(some);
    },
    intern(id) {
      const known = find(id);
      if (known !== 0) return known;
      last += 1;
      unsaved.set(id, last);
      if (expected.find(id) !== 0) expected.set(id, last);
      remember(id, last);
      return last;
    },
    count: () => last,
    *unsaved() {
      if (unsaved.size === 0) return;
      const greatest = last;
      yield () => void writeState.run([visitorsState(websiteKey), greatest]);
      // In the order of the table: random ones would each change a page of their own in every transaction.
      for (const [id, number] of unsaved.inOrder()) yield () => void insert.run([websiteKey, id, number]);
    },
    saved() {
      unsaved.clear();
    },
  };
}
