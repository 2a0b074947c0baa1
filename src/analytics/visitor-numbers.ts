import type { LocalDatabase } from '../db/local-database.ts';

/** A visitor's id as the log stores it: the 16 bytes of a UUID, or text. */
export type StoredId = string | Uint8Array;

const NUMBERS_A_WEBSITE = 2 ** 32;
const CACHED_MAX = 100_000;

export function visitorsRange(websiteKey: number): { fromKey: number; toKey: number } {
  return { fromKey: websiteKey * NUMBERS_A_WEBSITE, toKey: (websiteKey + 1) * NUMBERS_A_WEBSITE };
}

/** A website's visitors, numbered 1, 2, … in the order in which they were first seen: small and dense. */
export type VisitorNumbers = {
  intern(id: StoredId): number;
  /** 0 when the visitor is not known. */
  find(id: StoredId): number;
  id(number: number): StoredId | undefined;
  count(): number;
  /** As for terms. */
  unsaved(): (() => void)[];
  saved(): void;
};

export function createVisitorNumbers(database: LocalDatabase, websiteKey: number): VisitorNumbers {
  const base = websiteKey * NUMBERS_A_WEBSITE;
  const findStored = database.prepare('SELECT key FROM visitors WHERE website_key = ? AND visitor_id = ?');
  const readStored = database.prepare('SELECT visitor_id AS id FROM visitors WHERE key = ?');
  const insert = database.prepare(
    'INSERT OR IGNORE INTO visitors (key, website_key, visitor_id) VALUES (?, ?, ?)',
  );
  // Rows of these statements have the columns that they name.
  const newest = database
    .prepare('SELECT max(key) AS key FROM visitors WHERE key >= ? AND key < ?')
    .get([base, base + NUMBERS_A_WEBSITE]) as { key: number | null };
  let last = newest.key === null ? 0 : newest.key - base;
  let cached = new Map<string, number>();
  let unsaved = new Map<number, StoredId>();

  function find(id: StoredId): number {
    const word = toWord(id);
    const hit = cached.get(word);
    if (hit !== undefined) return hit;
    const row = findStored.get([websiteKey, id]) as { key: number } | undefined;
    if (!row) return 0;
    remember(word, row.key - base);
    return row.key - base;
  }

  function remember(word: string, number: number): void {
    if (cached.size >= CACHED_MAX)
      cached = new Map([...unsaved].map(([unsavedNumber, id]) => [toWord(id), unsavedNumber]));
    cached.set(word, number);
  }

  return {
    find,
    intern(id) {
      const known = find(id);
      if (known !== 0) return known;
      last += 1;
      unsaved.set(last, id);
      remember(toWord(id), last);
      return last;
    },
    id(number) {
      const row = readStored.get([base + number]) as { id: StoredId } | undefined;
      return unsaved.get(number) ?? row?.id;
    },
    count: () => last,
    unsaved: () =>
      [...unsaved].map(
        ([number, id]) =>
          () =>
            void insert.run([base + number, websiteKey, id]),
      ),
    saved() {
      unsaved = new Map();
    },
  };
}

/** Bytes and text never give the same word: the first letter tells them apart. */
function toWord(id: StoredId): string {
  if (typeof id === 'string') return `t${id}`;
  return `b${Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('latin1')}`;
}
