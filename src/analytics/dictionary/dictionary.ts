import type { LocalDatabase } from '../../db/local-database.ts';
import { OTHER } from '../dimensions.ts';
import type { UsedCodes } from './used-codes.ts';

/** What the texts of one dictionary take in memory at most; beyond it they are read again when needed. */
const CACHED_BYTES_MAX = 1024 * 1024;
/** What a cached text takes, about, besides its own characters. */
const TEXT_BYTES = 200;

/** The statements on the table `terms`, shared by all dictionaries. A scope is one dictionary of one website. */
export type TermStore = ReturnType<typeof createTermStore>;

export function createTermStore(database: LocalDatabase) {
  const find = database.prepare('SELECT code FROM terms WHERE scope = ? AND text = ?').raw();
  const text = database.prepare('SELECT text FROM terms WHERE scope = ? AND code = ?').raw();
  const last = database.prepare('SELECT max(code) FROM terms WHERE scope = ?').raw();
  const newOn = database.prepare('SELECT count(*) FROM terms WHERE scope = ? AND day = ?').raw();
  const all = database.prepare('SELECT code, text FROM terms WHERE scope = ?').raw();
  const insert = database.prepare('INSERT OR IGNORE INTO terms (scope, code, day, text) VALUES (?, ?, ?, ?)');
  const one = (row: unknown) => (row as [unknown] | undefined)?.[0]; // the one column of the statement
  return {
    find: (scope: number, value: string) => Number(one(find.get([scope, value])) ?? 0),
    text: (scope: number, code: number) => one(text.get([scope, code])) as string | undefined, // as inserted
    last: (scope: number) => Number(one(last.get([scope])) ?? 0),
    newOn: (scope: number, day: number) => Number(one(newOn.get([scope, day]))),
    all: (scope: number) => all.iterate([scope]) as Iterable<[code: number, text: string]>,
    insert: (scope: number, { code, day, text: value }: Term) => void insert.run([scope, code, day, value]),
  };
}

type Term = { code: number; day: number; text: string };

/** The texts of one dimension of a website, by codes 1, 2, …; 0 is the empty text, which means absent. */
export class Dictionary {
  readonly #store: TermStore;
  readonly #scope: number;
  readonly #newTextsADay: number;
  #last: number | undefined;
  #codes = new Map<string, number>();
  #texts = new Map<number, string>();
  /** Not on disk yet; and those of them that are being written. */
  #unsaved: Term[] = [];
  #saving: Term[] = [];
  readonly #newOn = new Map<number, number>();
  /** While unused texts are being removed: codes that are used. */
  #used: UsedCodes | undefined;
  /** What the texts in memory take; and those of them that are not on disk. */
  bytes = 0;
  unsavedBytes = 0;

  constructor(store: TermStore, scope: number, newTextsADay: number) {
    this.#store = store;
    this.#scope = scope;
    this.#newTextsADay = newTextsADay;
  }

  /** Codes go from 1 to this. */
  get count(): number {
    this.#last ??= this.#store.last(this.#scope);
    return this.#last;
  }

  /** 0 when the text has no code. */
  find(text: string): number {
    if (text === '') return 0;
    const cached = this.#codes.get(text);
    if (cached !== undefined) return cached;
    const code = this.#store.find(this.#scope, text);
    if (code !== 0) this.#remember(code, text);
    return code;
  }

  /** The code of a text, a new one if need be. @returns undefined when the day has brought too many new texts */
  intern(text: string, day: number): number | undefined {
    const known = this.find(text);
    if (known !== 0 || text === '') {
      this.#used?.add(known);
      return known;
    }
    if (text === OTHER) return this.other();
    const newOnDay = this.#newOn.get(day) ?? this.#countNewOn(day);
    if (newOnDay >= this.#newTextsADay) return undefined;
    this.#newOn.set(day, newOnDay + 1);
    return this.#add(text, day);
  }

  /** The code of OTHER, which counts for no day. */
  other(): number {
    const known = this.find(OTHER);
    const code = known === 0 ? this.#add(OTHER, NO_DAY) : known;
    this.#used?.add(code);
    return code;
  }

  text(code: number): string {
    if (code === 0) return '';
    const cached = this.#texts.get(code);
    if (cached !== undefined) return cached;
    const text = this.#store.text(this.#scope, code);
    if (text !== undefined) this.#remember(code, text);
    return text ?? '';
  }

  /** Every text with its code, unsaved ones included. */
  each(visit: (code: number, text: string) => void): void {
    for (const [code, text] of this.#store.all(this.#scope)) visit(code, text); // some of #saving may be among them
    for (const { code, text } of this.#pending()) visit(code, text);
  }

  /** A write for each text that is not on disk; each may be run twice. `endSave` is to be called once all are committed. */
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

  /** To be called in the transaction that removes the text. @returns false when it is in use again */
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

  #countNewOn(day: number): number {
    const isUnsaved = (term: Term) => term.day === day && this.#store.find(this.#scope, term.text) === 0;
    return this.#store.newOn(this.#scope, day) + this.#pending().filter(isUnsaved).length;
  }

  #add(text: string, day: number): number {
    const code = this.count + 1;
    this.#last = code;
    this.#unsaved.push({ code, day, text });
    this.unsavedBytes += bytesOf(text);
    this.#remember(code, text);
    this.#used?.add(code);
    return code;
  }

  #pending(): Term[] {
    return this.#saving.length === 0 ? this.#unsaved : [...this.#saving, ...this.#unsaved];
  }

  #remember(code: number, text: string): void {
    if (this.bytes > CACHED_BYTES_MAX + this.unsavedBytes) {
      const pending = this.#pending();
      this.#codes = new Map(pending.map((term) => [term.text, term.code]));
      this.#texts = new Map(pending.map((term) => [term.code, term.text]));
      this.unsavedBytes = sizeOf(pending);
      this.bytes = this.unsavedBytes;
    }
    this.#codes.set(text, code);
    this.#texts.set(code, text);
    this.bytes += bytesOf(text);
  }
}

function bytesOf(text: string): number {
  return TEXT_BYTES + text.length;
}

function sizeOf(terms: readonly Term[]): number {
  return terms.reduce((bytes, { text }) => bytes + bytesOf(text), 0);
}

const NO_DAY = -1_000_000_000;
