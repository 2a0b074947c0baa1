import type { LocalDatabase } from '../db/local-database.ts';

/** A visitor's id as the log stores it: the 16 bytes of a UUID, or text. */
export type StoredId = string | Uint8Array;

/** The visitors of some hours; others are looked up in the table. */
const CACHED_MAX = 20_000;
const LOOKED_UP_AT_ONCE = 50;

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
  const findSome = database.prepare(
    `SELECT visitor_id AS id, number FROM visitors WHERE website_key = ? AND visitor_id IN (${Array(LOOKED_UP_AT_ONCE).fill('?')})`,
  );
  const insert = database.prepare(
    'INSERT OR IGNORE INTO visitors (website_key, visitor_id, number) VALUES (?, ?, ?)',
  );
  const readState = database.prepare('SELECT value FROM analytics_state WHERE name = ?');
  const writeState = database.prepare('INSERT OR REPLACE INTO analytics_state (name, value) VALUES (?, ?)');
  // Rows of these statements have the columns that they name.
  const newest = readState.get([visitorsState(websiteKey)]) as { value: number } | undefined;
  let last = newest?.value ?? 0;
  let cached = new Map<string, number>();
  /** Words that were looked up and are not in the table. */
  let absent = new Set<string>();
  /** The words of those that are not on disk yet: a string is a fifth of a buffer. */
  let unsaved = new Map<number, string>();

  function find(id: StoredId): number {
    const word = toWord(id);
    const hit = cached.get(word);
    if (hit !== undefined) return hit;
    if (absent.has(word)) return 0;
    const row = findStored.get([websiteKey, id]) as { number: number } | undefined;
    if (!row) return 0;
    remember(word, row.number);
    return row.number;
  }

  function remember(word: string, number: number): void {
    if (cached.size >= CACHED_MAX + unsaved.size)
      cached = new Map([...unsaved].map(([unsavedNumber, unsavedWord]) => [unsavedWord, unsavedNumber]));
    cached.set(word, number);
  }

  /** One call instead of fifty: for a number that is not there, each would cost as much as all the rest of an event. */
  function lookUp(words: readonly string[]): void {
    for (const word of words) absent.add(word);
    const ids = words.map(toId);
    while (ids.length < LOOKED_UP_AT_ONCE) ids.push(''); // nobody's
    const rows = findSome.all([websiteKey, ...ids]) as { id: StoredId; number: number }[];
    for (const row of rows) {
      const word = toWord(row.id);
      absent.delete(word);
      remember(word, row.number);
    }
  }

  return {
    find,
    expect(ids) {
      absent = new Set();
      let words = new Set<string>();
      for (const id of ids) {
        const word = toWord(id);
        if (cached.has(word)) continue;
        words.add(word);
        if (words.size < LOOKED_UP_AT_ONCE) continue;
        lookUp([...words]);
        words = new Set();
      }
      if (words.size > 0) lookUp([...words]);
    },
    intern(id) {
      const known = find(id);
      if (known !== 0) return known;
      last += 1;
      const word = toWord(id);
      absent.delete(word);
      unsaved.set(last, word);
      remember(word, last);
      return last;
    },
    count: () => last,
    *unsaved() {
      if (unsaved.size === 0) return;
      const greatest = last;
      yield () => void writeState.run([visitorsState(websiteKey), greatest]);
      // In the order of the table: random ones would each change a page of their own in every transaction.
      const inOrder = [...unsaved].sort(([, a], [, b]) => (a < b ? -1 : 1));
      for (const [number, word] of inOrder) yield () => void insert.run([websiteKey, toId(word), number]);
    },
    saved() {
      unsaved = new Map();
    },
  };
}

/** Bytes and text never give the same word: the first letter tells them apart. */
function toWord(id: StoredId): string {
  if (typeof id === 'string') return `t${id}`;
  const bytes = Buffer.isBuffer(id) ? id : Buffer.from(id);
  return `b${bytes.toString('latin1')}`;
}

function toId(word: string): StoredId {
  const rest = word.slice(1);
  return word.startsWith('t') ? rest : Buffer.from(rest, 'latin1');
}
