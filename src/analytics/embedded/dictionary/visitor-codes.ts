import type { LocalDatabase } from '../../../db/local-database.ts';
import type { StoredId } from '../../../log/follower.ts';
import { IdTable } from '../collections/id-table.ts';
import type { UsedCodes } from './used-codes.ts';

/** Maximum cached visitors, about those of some hours. Others are looked up in the table. */
const CACHED_MAX = 20_000;
const LOOKED_UP_AT_ONCE = 50;
/** Code of a visitor that is not in the table. */
const ABSENT = 0xffff_ffff;
const CACHED_BYTES = 30;
/** Approximate bytes of writing a visitor. */
const UNSAVED_BYTES = 250;

/** The statements on the table `visitors`, shared by all websites. */
export type VisitorStore = ReturnType<typeof createVisitorStore>;

export function createVisitorStore(database: LocalDatabase) {
  const find = database.prepare('SELECT code FROM visitors WHERE website_key = ? AND visitor_id = ?').raw();
  const findSome = database
    .prepare(
      `SELECT visitor_id, code FROM visitors
       WHERE website_key = ? AND visitor_id IN (${Array(LOOKED_UP_AT_ONCE).fill('?')})`,
    )
    .raw();
  const insert = database.prepare(
    'INSERT OR IGNORE INTO visitors (website_key, visitor_id, code) VALUES (?, ?, ?)',
  );
  return {
    find(websiteKey: number, id: StoredId): number {
      const row = find.get([websiteKey, id]) as [number] | undefined; // the column that it selects
      return row?.[0] ?? 0;
    },
    /** @param ids at most LOOKED_UP_AT_ONCE */
    findSome(websiteKey: number, ids: StoredId[]): [id: StoredId, code: number][] {
      while (ids.length < LOOKED_UP_AT_ONCE) ids.push(''); // an id without a row
      return findSome.all([websiteKey, ...ids]) as [StoredId, number][]; // the columns that it names
    },
    insert: (websiteKey: number, id: StoredId, code: number) => void insert.run([websiteKey, id, code]),
  };
}

/** Assigns codes 1, 2, … to a website's visitors in order of first appearance, so codes are small and dense. */
export class VisitorCodes {
  /** Visitors not on disk yet, and those of them that are being written. */
  readonly #unsaved = new IdTable();
  readonly #saving = new IdTable();
  readonly #cached = new IdTable();
  /** Results of `expect`. */
  #expected = new IdTable();
  /** Codes in use, while visitors without an event are being removed. */
  #used: UsedCodes | undefined;

  /** @param count greatest code ever assigned */
  constructor(
    readonly store: VisitorStore,
    readonly websiteKey: number,
    public count: number,
  ) {}

  get bytes(): number {
    return (this.#cached.size + this.#unsaved.size + this.#saving.size) * CACHED_BYTES;
  }

  get unsavedBytes(): number {
    return (this.#unsaved.size + this.#saving.size) * UNSAVED_BYTES;
  }

  /**
   * Looks up in one query the visitors that will be interned next. Single look-ups would cost as much as everything else
   * about an event.
   */
  expect(ids: readonly StoredId[]): void {
    this.#expected = new IdTable();
    let some: StoredId[] = [];
    for (const id of ids) {
      if (this.#inMemory(id) !== 0 || this.#expected.find(id) !== 0) continue;
      this.#expected.set(id, ABSENT); // unless it is found
      some.push(id);
      if (some.length < LOOKED_UP_AT_ONCE) continue;
      this.#lookUp(some);
      some = [];
    }
    if (some.length > 0) this.#lookUp(some);
  }

  intern(id: StoredId): number {
    const known = this.find(id);
    if (known !== 0) {
      this.#used?.add(known);
      return known;
    }
    this.count += 1;
    this.#unsaved.set(id, this.count);
    if (this.#expected.find(id) !== 0) this.#expected.set(id, this.count);
    this.#used?.add(this.count);
    return this.count;
  }

  /** Returns 0 when the visitor is unknown. */
  find(id: StoredId): number {
    const hit = this.#inMemory(id);
    if (hit !== 0) return hit;
    const ahead = this.#expected.find(id);
    if (ahead !== 0) return ahead === ABSENT ? 0 : ahead;
    const code = this.store.find(this.websiteKey, id);
    if (code !== 0) this.#remember(id, code);
    return code;
  }

  /**
   * Returns writes as `Dictionary.beginSave` does, in the table's order: any other order would dirty a separate page for
   * each row.
   */
  beginSave(): (() => void)[] {
    for (const [id, code] of this.#unsaved.inOrder()) this.#saving.set(id, code);
    this.#unsaved.clear();
    return [...this.#saving.inOrder()].map(
      ([id, code]) =>
        () =>
          this.store.insert(this.websiteKey, id, code),
    );
  }

  endSave(): void {
    this.#saving.clear();
  }

  beginVacuum(used: UsedCodes): void {
    this.#used = used;
    this.#cached.clear();
    this.#expected = new IdTable();
  }

  /** @returns false when the visitor is in use again */
  retire(code: number): boolean {
    return !this.#used?.has(code);
  }

  endVacuum(): void {
    this.#used = undefined;
  }

  #inMemory(id: StoredId): number {
    return this.#cached.find(id) || this.#unsaved.find(id) || this.#saving.find(id);
  }

  #lookUp(ids: StoredId[]): void {
    for (const [id, code] of this.store.findSome(this.websiteKey, ids)) {
      this.#expected.set(id, code);
      this.#remember(id, code);
    }
  }

  #remember(id: StoredId, code: number): void {
    if (this.#used) return; // the visitor may be removed soon
    if (this.#cached.size >= CACHED_MAX) this.#cached.clear();
    this.#cached.set(id, code);
  }
}
