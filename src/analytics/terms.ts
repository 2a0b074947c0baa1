import type { LocalDatabase } from '../db/local-database.ts';

/** What a term is. The order is stored: append only. A client or origin is the JSON list of its values. */
export const TERM_KINDS = ['page', 'hostname', 'event', 'client', 'origin'] as const;
export type TermKind = (typeof TERM_KINDS)[number];

/** A scope is websiteKey × 32 + kind; a term's key is scope × 2^26 + its number. Below 2^53 for 4 million websites. */
const SCOPES_A_WEBSITE = 32;
const NUMBERS_A_SCOPE = 2 ** 26;
/** Texts that one dictionary holds in memory, in either direction; beyond it they are read again when needed. */
const CACHED_MAX = 50_000;

export type Terms = {
  /** The number of a text, 1, 2, …; 0 for the empty text. A new text gets the next number. */
  intern(text: string): number;
  /** 0 when the text is not known. */
  find(text: string): number;
  text(number: number): string;
  /** Numbers go from 1 to this. */
  count(): number;
  /** Every text with its number, those that are not yet saved included. */
  each(visit: (number: number, text: string) => void): void;
  /** A write for each new text, to be run in transactions; `saved` is to be called after the last commit. */
  unsaved(): Iterable<() => void>;
  saved(): void;
};

export function termsRange(websiteKey: number): { fromKey: number; toKey: number } {
  const aWebsite = SCOPES_A_WEBSITE * NUMBERS_A_SCOPE;
  return { fromKey: websiteKey * aWebsite, toKey: (websiteKey + 1) * aWebsite };
}

/** Of one dictionary: a term's key is `base` + its number. */
export function termsScope(websiteKey: number, kind: TermKind) {
  const scope = websiteKey * SCOPES_A_WEBSITE + TERM_KINDS.indexOf(kind);
  const base = scope * NUMBERS_A_SCOPE;
  return { scope, base, end: base + NUMBERS_A_SCOPE };
}

/** The dictionary of one website and kind. */
export function createTerms(database: LocalDatabase, websiteKey: number, kind: TermKind): Terms {
  const { scope, base, end } = termsScope(websiteKey, kind);
  const findStored = database.prepare('SELECT key FROM terms WHERE scope = ? AND text = ?');
  const readStored = database.prepare('SELECT text FROM terms WHERE key = ?');
  const insert = database.prepare('INSERT OR IGNORE INTO terms (key, scope, text) VALUES (?, ?, ?)');

  // Rows of these statements have the columns that they name.
  const newest = database
    .prepare('SELECT max(key) AS key FROM terms WHERE key >= ? AND key < ?')
    .get([base, end]) as { key: number | null };
  let last = newest.key === null ? 0 : newest.key - base;
  const isFull = () => last >= NUMBERS_A_SCOPE - 1;

  let numbers = new Map<string, number>();
  let texts = new Map<number, string>();
  let unsaved: { number: number; text: string }[] = [];

  function remember(number: number, text: string): void {
    if (numbers.size >= CACHED_MAX + unsaved.length) {
      numbers = new Map(unsaved.map((term) => [term.text, term.number]));
      texts = new Map(unsaved.map((term) => [term.number, term.text]));
    }
    numbers.set(text, number);
    texts.set(number, text);
  }

  function find(text: string): number {
    if (text === '') return 0;
    const cached = numbers.get(text);
    if (cached !== undefined) return cached;
    const row = findStored.get([scope, text]) as { key: number } | undefined;
    if (!row) return 0;
    remember(row.key - base, text);
    return row.key - base;
  }

  function intern(text: string): number {
    const known = find(text);
    if (known !== 0 || text === '' || isFull()) return known;
    last += 1;
    unsaved.push({ number: last, text });
    remember(last, text);
    return last;
  }

  function text(number: number): string {
    if (number === 0) return '';
    const cached = texts.get(number);
    if (cached !== undefined) return cached;
    const row = readStored.get([base + number]) as { text: string } | undefined;
    if (row) remember(number, row.text);
    return row?.text ?? '';
  }

  function each(visit: (number: number, text: string) => void): void {
    const rows = database
      .prepare('SELECT key, text FROM terms WHERE key >= ? AND key < ?')
      .raw()
      .iterate([base, end]);
    for (const [key, text] of rows as Iterable<[number, string]>) visit(key - base, text);
    for (const { number, text } of unsaved) visit(number, text);
  }

  return {
    intern,
    find,
    text,
    count: () => last,
    each,
    *unsaved() {
      for (const { number, text } of unsaved) yield () => void insert.run([base + number, scope, text]);
    },
    saved() {
      unsaved = [];
    },
  };
}
