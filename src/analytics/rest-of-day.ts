import { type Day, EXTRA_COLUMNS, furtherColumnsOf, WIDE_COLUMNS } from './day.ts';
import type { DayProperty } from './day-properties.ts';
import type { DayWrite } from './day-write.ts';
import type { DerivedParts } from './derived.ts';
import { keepOrdinals, withoutVisits } from './keep-events.ts';
import { openDay } from './open-day.ts';
import { createEventReader } from './read-event.ts';
import { transactInSteps } from './transact.ts';
import { PROPERTY_KEYS_A_DAY_MAX } from './vocabulary.ts';
import { type ReadRows, withoutEvents } from './without-events.ts';

const READ_ROWS_A_STEP = 1_000;

/** `removed`: the keys of the events that go. */
type Removed = { removed: ReadonlySet<number>; readRows: ReadRows };

/** What is left of a day after a removal, in place of the day as it was; to be called after the tail was saved. */
export function createRestOfDay({ database, store, tail, termsOf, daysOf }: DerivedParts) {
  async function withoutVisitor(
    websiteKey: number,
    number: number,
    visitor: number,
    goes: Removed,
  ): Promise<DayWrite> {
    const day = wholeDay(websiteKey, number);
    if (!day) return store.replace(websiteKey, number, undefined);
    if (isFullOfKeys(websiteKey, number)) return prepareFromLog(websiteKey, day, goes);
    return prepareKept(
      websiteKey,
      withoutVisits(day, (visit) => day.visitor[visit] === visitor),
    );
  }

  /** @returns undefined when the day has none of the events */
  async function withoutKeys(
    websiteKey: number,
    number: number,
    goes: Removed,
  ): Promise<DayWrite | undefined> {
    const day = wholeDay(websiteKey, number);
    if (!day?.wide.get('key')?.some((key) => goes.removed.has(key))) return undefined;
    if (isFullOfKeys(websiteKey, number)) return prepareFromLog(websiteKey, day, goes);
    const terms = termsOf(websiteKey);
    const kept = await withoutEvents(day, { ...goes, read: createEventReader(terms) });
    await transactInSteps(database, terms.unsaved());
    terms.saved();
    return prepareKept(websiteKey, kept);
  }

  /** With all of its columns. */
  function wholeDay(websiteKey: number, number: number): Day | undefined {
    const days = daysOf(websiteKey);
    const day = days.get(number);
    if (!day) return undefined;
    for (const name of EXTRA_COLUMNS) days.extra(day, name);
    for (const name of WIDE_COLUMNS) days.wide(day, name);
    return day;
  }

  /** Keys of properties that found no place on the day come in for those that go; only the log knows them. */
  function isFullOfKeys(websiteKey: number, day: number): boolean {
    return store.propertyKeys(websiteKey, day).length >= PROPERTY_KEYS_A_DAY_MAX;
  }

  async function prepareFromLog(
    websiteKey: number,
    day: Day,
    { removed, readRows }: Removed,
  ): Promise<DayWrite> {
    const keys = (day.wide.get('key') ?? new Float64Array(0)).filter((key) => !removed.has(key)).sort();
    const terms = termsOf(websiteKey);
    const read = createEventReader(terms);
    const open = openDay(store, websiteKey, day.day, true);
    for (let start = 0; start < keys.length; start += READ_ROWS_A_STEP)
      for (const row of await readRows([...keys.subarray(start, start + READ_ROWS_A_STEP)]))
        open.add(read(row));
    await transactInSteps(database, terms.unsaved());
    terms.saved();
    const next = open.eventCount() === 0 ? undefined : open.prepare(tail.readUntilKey());
    return store.replace(websiteKey, day.day, next);
  }

  /** @param kept its properties are among those that are stored */
  function prepareKept(websiteKey: number, kept: Day): DayWrite {
    if (kept.eventCount === 0) return store.replace(websiteKey, kept.day, undefined);
    const ordinals = new Set(kept.extra.get('ordinal'));
    const properties = new Map<string, DayProperty>();
    for (const key of store.propertyKeys(websiteKey, kept.day)) {
      const property = store.readProperty(websiteKey, kept.day, key);
      const rest = property && keepOrdinals(property, ordinals);
      if (rest && rest.ordinals.length > 0) properties.set(key, rest);
    }
    const untilKey = store.untilKey(websiteKey, kept.day);
    const further = furtherColumnsOf(kept);
    const next = store.prepare({ websiteKey, day: kept, further, untilKey, properties });
    return store.replace(websiteKey, kept.day, next);
  }

  return { withoutVisitor, withoutEvents: withoutKeys };
}
