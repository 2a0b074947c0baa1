import type { LocalDatabase } from '../db/local-database.ts';
import { dayOf } from './day.ts';
import type { DayStore } from './day-store.ts';
import { type OpenDay, openDay } from './open-day.ts';
import { createEventReader, type LogRow, type PendingEvent } from './read-event.ts';
import { transact, transactInSteps, writeDay } from './transact.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** A day is written when this many events were added to it, or a quarter of what it has: each event is written a few times. */
const SAVE_EVENTS_MIN = 40_000;
const SAVE_SHARE = 4;
/** Events in memory that no block on disk has; beyond it every day is written. A large day may have a few more. */
const UNSAVED_MAX = 100_000;
const UNSAVED_OF_LARGE_MAX = 250_000;
/** To close and read a day of so many bytes again would take twice the memory meanwhile, and packing it takes megabytes. */
const LARGE_DAY_BYTES = 4 * 1024 * 1024;
const CHECKPOINT = 'checkpoint';

export type Tail = {
  /** Takes in the next rows of the log, ascending. */
  take(rows: readonly LogRow[]): Promise<void>;
  /** The open day, if events were added to it lately: it goes before what is on disk. */
  open(websiteKey: number, day: number): OpenDay | undefined;
  openDays(websiteKey: number): number[];
  /** Writes every day that has changed, and how far the log has been read. */
  save(): Promise<void>;
  /** Forgets open days without writing them. */
  drop(websiteKey: number): void;
  /** Closes those of a website that are saved, but for large ones: they are needed again with the next event. */
  closeSmall(websiteKey: number): void;
  /** Begins at the start of the log. What is derived, and the checkpoint with it, must be gone. */
  restart(): void;
  readUntilKey(): number;
  savedUntilKey(): number;
  unsavedCount(): number;
  /** So many are not more than usual. */
  unsavedMax(): number;
  /** Nothing of the website waits to be written. */
  isSaved(websiteKey: number): boolean;
  /** What open days take in memory. */
  bytes(): number;
};

type Parts = {
  database: LocalDatabase;
  store: DayStore;
  termsOf: (websiteKey: number) => WebsiteTerms;
  /** A day is opened: what is known of it elsewhere will be out of date. */
  onOpen: (id: string) => void;
  /** Open days take more memory, or less. No question is being answered. */
  onChange: () => void;
  /** A day of megabytes is going to be packed. No question is being answered. */
  makeRoom: () => void;
  /** What open days may take in memory after they were written. */
  openBytesMax: number;
  /** Told of a database that cannot be written to. */
  onError: (error: unknown) => void;
};

/**
 * Follows the log from a checkpoint. Days are written one at a time, each with the key up to which it is complete, then
 * the checkpoint: so no transaction is long, and a crash between two of them only means that some rows are read again
 * and left out again. Numbers of texts and visitors are written before the first block that uses them.
 */
export function createTail({
  database,
  store,
  termsOf,
  onOpen,
  onChange,
  makeRoom,
  openBytesMax,
  onError,
}: Parts): Tail {
  const readState = database.prepare('SELECT value FROM analytics_state WHERE name = ?');
  const writeState = database.prepare(
    'INSERT INTO analytics_state (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const days = new Map<string, OpenDay>();
  /** The same by website: many questions ask for those of one. */
  const byWebsite = new Map<number, Map<string, OpenDay>>();
  const readers = new Map<number, (row: LogRow) => PendingEvent>();
  // The statement names this one column.
  let savedUntil = (readState.get([CHECKPOINT]) as { value: number } | undefined)?.value ?? 0;
  let readUntil = savedUntil;
  let unsaved = 0;

  async function take(rows: readonly LogRow[]): Promise<void> {
    for (const [websiteKey, own] of Map.groupBy(rows, ([, key]) => key))
      termsOf(websiteKey).visitors.expect(own.map(([, , , , , , , visitorId]) => visitorId));
    for (const row of rows) add(row);
    onChange();
    await saveSome();
  }

  function add(row: LogRow): void {
    const [key, websiteKey, createdAtMs] = row;
    let read = readers.get(websiteKey);
    if (!read) {
      read = createEventReader(termsOf(websiteKey));
      readers.set(websiteKey, read);
    }
    const day = dayOf(createdAtMs);
    const id = `${websiteKey} ${day}`;
    let open = days.get(id);
    if (!open) {
      onOpen(id);
      open = openDay(store, websiteKey, day);
      const own = byWebsite.get(websiteKey) ?? new Map<string, OpenDay>();
      byWebsite.set(websiteKey, own.set(id, open));
    }
    days.delete(id);
    days.set(id, open); // the last used one is the last of the map
    const before = open.unsavedCount();
    open.add(read(row));
    unsaved += open.unsavedCount() - before;
    readUntil = key;
  }

  /** Answers do not need it, so a database that is locked for long is told of and tried again later. */
  async function saveSome(): Promise<void> {
    try {
      if (unsaved >= UNSAVED_MAX && unsaved >= unsavedMax()) await save();
      else if (unsaved >= SAVE_EVENTS_MIN) await saveFullDays();
    } catch (error) {
      if (unsaved >= 2 * unsavedMax()) throw error; // the bound of memory
      onError(error);
    }
  }

  function unsavedMax(): number {
    let largest = 0;
    for (const open of days.values()) largest = Math.max(largest, open.eventCount());
    return Math.min(Math.max(UNSAVED_MAX, largest / SAVE_SHARE), UNSAVED_OF_LARGE_MAX);
  }

  async function saveFullDays(): Promise<void> {
    for (const open of [...days.values()])
      if (open.unsavedCount() >= Math.max(SAVE_EVENTS_MIN, open.eventCount() / SAVE_SHARE))
        await saveDay(open);
    closeOldDays();
  }

  async function save(): Promise<void> {
    for (const open of [...days.values()]) if (open.unsavedCount() > 0) await saveDay(open);
    if (readUntil !== savedUntil) {
      await transact(database, () => void writeState.run([CHECKPOINT, readUntil]));
      savedUntil = readUntil;
    }
    closeOldDays();
  }

  async function saveDay(open: OpenDay): Promise<void> {
    const terms = termsOf(open.websiteKey);
    if (open.bytes() >= LARGE_DAY_BYTES) makeRoom();
    const write = open.prepare(readUntil);
    await transactInSteps(database, terms.unsaved());
    terms.saved();
    const onCommit = () => {
      unsaved -= open.unsavedCount();
      open.saved();
    };
    await writeDay(database, write, { onCommit });
  }

  function closeOldDays(): void {
    let bytes = 0;
    for (const [id, open] of [...days].reverse()) {
      bytes += open.bytes();
      if (bytes > openBytesMax && open.unsavedCount() === 0) close(id, open);
    }
    onChange();
  }

  function close(id: string, { websiteKey, free }: OpenDay): void {
    free();
    days.delete(id);
    const own = byWebsite.get(websiteKey);
    own?.delete(id);
    if (own?.size === 0) byWebsite.delete(websiteKey);
  }

  function openOf(websiteKey: number): OpenDay[] {
    return [...(byWebsite.get(websiteKey)?.values() ?? [])];
  }

  return {
    take,
    open: (websiteKey, day) => days.get(`${websiteKey} ${day}`),
    openDays: (websiteKey) => openOf(websiteKey).map(({ dayNumber }) => dayNumber),
    save,
    drop(websiteKey) {
      for (const open of openOf(websiteKey)) {
        unsaved -= open.unsavedCount();
        close(`${websiteKey} ${open.dayNumber}`, open);
      }
      readers.delete(websiteKey);
      onChange();
    },
    closeSmall(websiteKey) {
      for (const open of openOf(websiteKey))
        if (open.unsavedCount() === 0 && open.bytes() < LARGE_DAY_BYTES)
          close(`${websiteKey} ${open.dayNumber}`, open);
      readers.delete(websiteKey);
      onChange();
    },
    restart() {
      days.clear();
      byWebsite.clear();
      readers.clear();
      savedUntil = 0;
      readUntil = 0;
      unsaved = 0;
      onChange();
    },
    readUntilKey: () => readUntil,
    savedUntilKey: () => savedUntil,
    unsavedCount: () => unsaved,
    unsavedMax,
    bytes: () => [...days.values()].reduce((sum, open) => sum + open.bytes(), 0),
    isSaved: (websiteKey) => openOf(websiteKey).every((open) => open.unsavedCount() === 0),
  };
}
