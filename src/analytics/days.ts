import { discard, giveBack } from '../garbage.ts';
import { type Day, dayOf, type ExtraColumn, type WideColumn, whole } from './day.ts';
import type { DayCache } from './day-cache.ts';
import { type DayProperty, propertyBytes } from './day-properties.ts';
import type { DayStore } from './day-store.ts';
import type { KeptSums } from './day-sums.ts';
import { type DayDigest, toDigest } from './digest.ts';
import { jointsOf } from './joints.ts';
import type { DaySource } from './scan-columns.ts';
import type { Tail } from './tail.ts';

/** The days of one website, from wherever they are: open, in the cache, on disk. */
export type Days = DaySource & {
  /**
   * The days of a range, ascending, with the neighbours that its visits may reach into.
   *
   * @param wideNames columns that each of them must have
   * @param anyClass  visits go on from one class to another. Days with visitors of several must then have their keys, to
   *   order events of one instant
   */
  range(fromMs: number, toMs: number, wideNames: readonly WideColumn[], anyClass: boolean): Generator<Day>;
  get(dayNumber: number): Day | undefined;
  /** @param read in place of what reads one that is not in memory; undefined is not kept */
  digest(dayNumber: number, read?: () => DayDigest | undefined): DayDigest | undefined;
  wide(day: Day, name: WideColumn): Float64Array;
  /** Where sums of the day are kept for the next question. Undefined: there is no room, or it is still growing. */
  sums(day: Day): KeptSums | undefined;
  /** Lets go of the wide columns that were read for a day: they are as large as all the others together. */
  release(day: Day): void;
  propertyKeys(dayNumber: number): string[];
  /** The ordinals of a day's events that have a property. */
  propertyOrdinals(dayNumber: number, key: string): ArrayLike<number>;
  numbers(fromDay: number, toDay: number): number[];
};

type Parts = { store: DayStore; cache: DayCache; tail: Tail };

export function createDays(websiteKey: number, { store, cache, tail }: Parts): Days {
  const widened = new WeakSet<Day>();
  /** Of wide columns that were released, for those of the next days: else each day would need fresh ones. */
  const spare: ArrayBuffer[] = [];

  function get(dayNumber: number): Day | undefined {
    const open = tail.open(websiteKey, dayNumber);
    if (open) return open.current();
    const id = `${websiteKey} ${dayNumber}`;
    const cached = cache.get(id);
    if (cached) return cached;
    return cache.put(id, (placeFor) => store.read(websiteKey, dayNumber, placeFor));
  }

  function digest(dayNumber: number, read = () => readDigest(dayNumber)): DayDigest | undefined {
    const open = tail.open(websiteKey, dayNumber);
    if (open) return digestOf(open.current());
    return cache.digest(`${websiteKey} ${dayNumber}`, read);
  }

  function readDigest(dayNumber: number): DayDigest | undefined {
    const stored = store.readDigest(websiteKey, dayNumber);
    if (stored) return stored;
    const day = get(dayNumber);
    return day && toDigest(day);
  }

  function numbers(fromDay: number, toDay: number): number[] {
    const found = new Set(store.days(websiteKey, fromDay, toDay));
    for (const day of tail.openDays(websiteKey)) if (day >= fromDay && day <= toDay) found.add(day);
    return [...found].sort((a, b) => a - b);
  }

  /** Days before or after, as long as a visit may go on from one to the next all day. */
  function reach(day: number, step: 1 | -1, anyClass: boolean): number {
    let furthest = day;
    for (let steps = 0; steps < REACH_DAYS_MAX; steps += 1) {
      const next = get(furthest + step);
      if (!next) break;
      furthest += step;
      const { heads, tails } = jointsOf(next);
      // Only what begins at one end of the day and ends at the other leads further: one part, or parts of several classes.
      const idOf = (visit: number) => (anyClass ? next.visitor[visit] : visit);
      const ends = new Set(tails.map(idOf));
      if (!heads.some((visit) => ends.has(idOf(visit)))) break;
    }
    return furthest;
  }

  function wide(day: Day, name: WideColumn): Float64Array {
    const known = day.wide.get(name);
    if (known) return known;
    const open = tail.open(websiteKey, day.day);
    const column = open
      ? whole(open.wide(name))
      : store.readWide(websiteKey, day, name, takeSpare(day.eventCount));
    day.wide.set(name, column);
    widened.add(day);
    return column;
  }

  function release(day: Day): void {
    if (!widened.delete(day)) return; // none were read for it
    for (const { buffer } of day.wide.values())
      if (buffer instanceof ArrayBuffer && spare.length < SPARE_MAX) spare.push(buffer);
      else giveBack(new Uint8Array(buffer));
    day.wide.clear();
  }

  function takeSpare(length: number): Float64Array {
    const bytes = length * Float64Array.BYTES_PER_ELEMENT;
    const memory = spare.pop();
    if (memory && memory.byteLength >= bytes) return new Float64Array(memory, 0, length);
    if (memory) giveBack(new Uint8Array(memory));
    const fresh = new ArrayBuffer(Math.ceil(bytes * SPARE_ROOM));
    discard(fresh.byteLength); // when the question is answered
    return new Float64Array(fresh, 0, length);
  }

  function* range(
    fromMs: number,
    toMs: number,
    wideNames: readonly WideColumn[],
    anyClass: boolean,
  ): Generator<Day> {
    if (toMs <= fromMs) return;
    cache.beginScan({ prefix: `${websiteKey} `, from: dayOf(fromMs), to: dayOf(toMs - 1) });
    const from = reach(dayOf(fromMs), -1, anyClass);
    const to = reach(dayOf(toMs - 1), 1, anyClass);
    for (const number of numbers(from, to)) {
      const day = get(number);
      if (!day) continue;
      for (const name of wideNames) wide(day, name);
      if (anyClass && jointsOf(day).mixed.length > 0) wide(day, 'key');
      yield day;
    }
  }

  return {
    range,
    sums: (day) =>
      day.isPassing === undefined
        ? undefined
        : cache.sums(`${websiteKey} ${day.day}`, day.visitCount * SUMMED_BYTES_A_VISIT),
    get,
    digest,
    wide,
    release,
    numbers,
    propertyKeys: (day) => tail.open(websiteKey, day)?.propertyKeys() ?? store.propertyKeys(websiteKey, day),
    propertyOrdinals: (day, key) =>
      tail.open(websiteKey, day)?.property(key)?.ordinals ?? store.readOrdinals(websiteKey, day, key),
    extra(day: Day, name: ExtraColumn) {
      const known = day.extra.get(name);
      if (known) return known;
      const open = tail.open(websiteKey, day.day);
      const column = open ? whole(open.extra(name)) : store.readExtra(websiteKey, day, name);
      discard(day.isPassing ? column.byteLength : 0);
      day.extra.set(name, column);
      return column;
    },
    property({ day }, key): DayProperty | undefined {
      const open = tail.open(websiteKey, day)?.property(key);
      if (open) return open;
      const property = store.readProperty(websiteKey, day, key);
      if (property) discard(propertyBytes(property));
      return property;
    },
  };
}

/** Of open days, as long as nothing is added to them. */
const digests = new WeakMap<Day, DayDigest>();

function digestOf(day: Day): DayDigest {
  const digest = digests.get(day) ?? toDigest(day);
  digests.set(day, digest);
  return digest;
}

/** Columns of two days at once; the next days may be a little larger. */
const SPARE_MAX = 4;
const SPARE_ROOM = 1.25;

/** About what sums take. */
const SUMMED_BYTES_A_VISIT = 8;

/** A visit of more than forty days without a pause is cut there: only a machine makes one. */
const REACH_DAYS_MAX = 40;
