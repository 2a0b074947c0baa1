import type { LocalDatabase } from '../../../db/local-database.ts';
import { OTHER } from '../../../vocabulary/analytics.ts';
import type { UsedCodes } from './used-codes.ts';

/** Approximate bytes of a cached text besides its characters. */
const TEXT_BYTES = 200;

const TEXTS_A_STEP = 1_000;

type CodedText = [code: number, text: string];

/** The statements on the table `terms`, shared by all dictionaries. A scope is one dictionary of one website. */
export type TermStore = ReturnType<typeof createTermStore>;

export function createTermStore(database: LocalDatabase) {
  const find = database.prepare('SELECT code, since_key FROM terms WHERE scope = ? AND text = ?').raw();
  const text = database.prepare('SELECT text, since_key FROM terms WHERE scope = ? AND code = ?').raw();
  const last = database.prepare('SELECT max(code) FROM terms WHERE scope = ?').raw();
  const newOn = database.prepare('SELECT count(*) FROM terms WHERE scope = ? AND day = ?').raw();
  const newWithin = database
    .prepare('SELECT count(*) FROM terms WHERE scope >= ? AND scope < ? AND day = ?')
    .raw();
  const after = database
    .prepare('SELECT code, text FROM terms WHERE scope = ? AND code > ? ORDER BY code LIMIT ?')
    .raw();
  const insert = database.prepare(
    'INSERT OR IGNORE INTO terms (scope, code, day, since_key, text) VALUES (?, ?, ?, ?, ?)',
  );
  const one = (row: unknown) => (row as [unknown] | undefined)?.[0]; // the one column of the statement
  return {
    find(scope: number, value: string): Known | undefined {
      const row = find.get([scope, value]) as [number, number] | undefined; // the columns that it names
      return row && { code: row[0], text: value, sinceKey: row[1] };
    },
    text(scope: number, code: number): Known | undefined {
      const row = text.get([scope, code]) as [string, number] | undefined; // the columns that it names
      return row && { code, text: row[0], sinceKey: row[1] };
    },
    last: (scope: number) => Number(one(last.get([scope])) ?? 0),
    newOn: (scope: number, day: number) => Number(one(newOn.get([scope, day]))),
    /** New texts of a day in several scopes, [from, to). */
    newWithin: (from: number, to: number, day: number) => Number(one(newWithin.get([from, to, day]))),
    /** Reads the texts in steps. A statement left half read would keep its read transaction open when a caller throws. */
    *all(scope: number): Generator<CodedText> {
      let rows: CodedText[];
      let code = 0;
      do {
        rows = after.all([scope, code, TEXTS_A_STEP]) as CodedText[]; // the columns that it names
        yield* rows;
        code = rows.at(-1)?.[0] ?? code;
      } while (rows.length === TEXTS_A_STEP);
    },
    insert: (scope: number, { code, day, sinceKey, text: value }: Term) =>
      void insert.run([scope, code, day, sinceKey, value]),
  };
}

/** A bound on new texts of a day that several dictionaries share. */
export type SharedBound = { isFull(day: number): boolean; add(day: number): void };

export type DictionaryBounds = {
  /** Most new texts of a UTC day. */
  newTextsADay: number;
  /** Most bytes of texts kept in memory; beyond it they are read again when needed. */
  cachedBytesMax: number;
  shared?: SharedBound;
};

/** The event that first uses a text: its key in the log and its UTC day. */
export type FirstUse = { key: number; day: number };
/** A text, its code, and its first event: earlier events do not have the text. */
type Term = { code: number; text: string; day: number; sinceKey: number };
/** A term as kept in memory. */
type Known = Omit<Term, 'day'>;

/** The texts of one dimension of a website, by codes 1, 2, …; 0 is the empty text, which means absent. */
export class Dictionary {
  readonly #store: TermStore;
  readonly #scope: number;
  readonly #bounds: DictionaryBounds;
  #last: number | undefined;
  #codes = new Map<string, Known>();
  #texts = new Map<number, string>();
  /** Texts not on disk yet, and those of them that are being written. */
  #unsaved: Term[] = [];
  #saving: Term[] = [];
  readonly #newOn = new Map<number, number>();
  /** Codes in use, while unused texts are being removed. */
  #used: UsedCodes | undefined;
  /** Bytes of the texts in memory, and of those not on disk. */
  bytes = 0;
  unsavedBytes = 0;

  constructor(store: TermStore, scope: number, bounds: DictionaryBounds) {
    this.#store = store;
    this.#scope = scope;
    this.#bounds = bounds;
  }

  get isSaved(): boolean {
    return this.#unsaved.length === 0 && this.#saving.length === 0;
  }

  /** The greatest code; codes start at 1. */
  get count(): number {
    this.#last ??= this.#store.last(this.#scope);
    return this.#last;
  }

  /** Returns 0 when the text has no code. */
  find(text: string): number {
    if (!text.isWellFormed()) return 0; // SQLite replaces a lone surrogate, which would match another text
    return this.#known(text)?.code ?? 0;
  }

  /**
   * Returns the code of a text, a new one if needed.
   *
   * @returns undefined when the day already had too many new texts, even if the text got a code later
   */
  intern(text: string, { key, day }: FirstUse): number | undefined {
    if (text === '') return 0;
    if (text === OTHER) return this.other();
    const known = this.#known(text);
    if (known) {
      // Texts that were removed return with a later event: the bound of the day that had this one's still applies.
      if (known.sinceKey > key && this.#isFull(day)) return undefined;
      this.#used?.add(known.code);
      return known.code;
    }
    if (this.#isFull(day)) return undefined;
    this.#newOn.set(day, this.#newTextsOn(day) + 1);
    this.#bounds.shared?.add(day);
    return this.#add(text, day, key);
  }

  /** The code of OTHER, which counts towards no day's bound. */
  other(): number {
    const known = this.find(OTHER);
    const code = known === 0 ? this.#add(OTHER, NO_DAY, 0) : known;
    this.#used?.add(code);
    return code;
  }

  text(code: number): string {
    if (code === 0) return '';
    const cached = this.#texts.get(code);
    if (cached !== undefined) return cached;
    const known = this.#store.text(this.#scope, code);
    if (known) this.#remember(known);
    return known?.text ?? '';
  }

  /** Every text with its code, unsaved ones included. */
  each(visit: (code: number, text: string) => void): void {
    for (const [code, text] of this.#store.all(this.#scope)) visit(code, text); // may include some of #saving
    for (const { code, text } of this.#pending()) visit(code, text);
  }

  /** Returns a write for each text that is not on disk. Each may run twice. Call `endSave` once all are committed. */
  beginSave(): (() => void)[] {
    this.#saving = this.#pending();
    this.#unsaved = [];
    return this.#saving.map((term) => () => this.#store.insert(this.#scope, term));
  }

  endSave(): void {
    this.#saving = [];
    this.unsavedBytes = sizeOf(this.#unsaved);
  }

  beginVacuum(used: UsedCodes): void {
    this.#used = used;
  }

  /** Call in the transaction that removes the text. @returns false when the text is in use again */
  retire(code: number): boolean {
    if (this.#used?.has(code)) return false;
    const text = this.#texts.get(code);
    if (text === undefined) return true;
    this.#texts.delete(code);
    this.#codes.delete(text);
    this.bytes -= bytesOf(text);
    return true;
  }

  endVacuum(): void {
    this.#used = undefined;
    this.#newOn.clear();
  }

  #isFull(day: number): boolean {
    return this.#newTextsOn(day) >= this.#bounds.newTextsADay || this.#bounds.shared?.isFull(day) === true;
  }

  /** Counts the new texts of a day that are not on disk. */
  pendingOn(day: number): number {
    return this.#pending().filter((term) => term.day === day && !this.#store.find(this.#scope, term.text))
      .length;
  }

  /** Counts the new texts of a day once: on a full day, each further text would repeat the count. */
  #newTextsOn(day: number): number {
    const known = this.#newOn.get(day);
    if (known !== undefined) return known;
    const count = this.#countNewOn(day);
    this.#newOn.set(day, count);
    return count;
  }

  #countNewOn(day: number): number {
    return this.#store.newOn(this.#scope, day) + this.pendingOn(day);
  }

  #known(text: string): Known | undefined {
    const cached = this.#codes.get(text);
    if (cached) return cached;
    const known = this.#store.find(this.#scope, text);
    if (known) this.#remember(known);
    return known;
  }

  #add(text: string, day: number, sinceKey: number): number {
    const code = this.count + 1;
    this.#last = code;
    this.#unsaved.push({ code, day, sinceKey, text });
    this.unsavedBytes += bytesOf(text);
    this.#remember({ code, sinceKey, text });
    this.#used?.add(code);
    return code;
  }

  #pending(): Term[] {
    return this.#saving.length === 0 ? this.#unsaved : [...this.#saving, ...this.#unsaved];
  }

  #remember(known: Known): void {
    if (this.bytes > this.#bounds.cachedBytesMax + this.unsavedBytes) {
      const pending = this.#pending();
      this.#codes = new Map(pending.map((term) => [term.text, term]));
      this.#texts = new Map(pending.map((term) => [term.code, term.text]));
      this.unsavedBytes = sizeOf(pending);
      this.bytes = this.unsavedBytes;
    }
    this.#codes.set(known.text, known);
    this.#texts.set(known.code, known.text);
    this.bytes += bytesOf(known.text);
  }
}

function bytesOf(text: string): number {
  return TEXT_BYTES + text.length;
}

function sizeOf(terms: readonly Term[]): number {
  return terms.reduce((bytes, { text }) => bytes + bytesOf(text), 0);
}

const NO_DAY = -1_000_000_000;
