import { discard } from '../garbage.ts';
import { Arrivals } from './arrivals.ts';
import { DAY_MS, type Day, EXTRA_COLUMNS, sizeBytes, WIDE_COLUMNS } from './day.ts';
import { appendProperty, createDayProperty, type DayProperty, propertyBytes } from './day-properties.ts';
import type { DayStore } from './day-store.ts';
import { mergeDay } from './merge-day.ts';
import type { PendingEvent } from './read-event.ts';
import { PROPERTY_KEYS_A_DAY_MAX } from './vocabulary.ts';

/** A day that events are being added to: what is on disk, what was added since, and the two merged when asked. */
export type OpenDay = {
  websiteKey: number;
  dayNumber: number;
  /** Events that no block on disk holds yet. */
  unsavedCount(): number;
  eventCount(): number;
  /** Leaves out what the block has already. Events come in the order of their keys. */
  add(event: PendingEvent): void;
  /** With everything that was added; has all columns. Good until the next event is added. */
  current(): Day;
  property(key: string): DayProperty | undefined;
  propertyKeys(): string[];
  /** Packs the day; the result writes it, and `saved` is to be called after the commit. */
  prepare(untilKey: number): () => void;
  saved(): void;
  bytes(): number;
};

/** Events that wait to be merged. Each merge copies the day, so a busy day should not have too many of them. */
const ARRIVALS_MAX = 16_000;

type OpenProperty = { property: DayProperty; lookup: Map<string, number> };

/** @param isEmpty without what is on disk, which it is to replace */
export function openDay(store: DayStore, websiteKey: number, dayNumber: number, isEmpty = false): OpenDay {
  const stored = isEmpty ? undefined : store.read(websiteKey, dayNumber);
  if (stored) {
    for (const name of EXTRA_COLUMNS) stored.extra.set(name, store.readExtra(websiteKey, stored, name));
    for (const name of WIDE_COLUMNS) stored.wide.set(name, store.readWide(websiteKey, stored, name));
  }
  const storedUntilKey = isEmpty ? 0 : store.untilKey(websiteKey, dayNumber);
  const keys = new Set(stored ? store.propertyKeys(websiteKey, dayNumber) : []);
  const properties = new Map<string, OpenProperty>();
  const startMs = dayNumber * DAY_MS;
  let day = stored;
  let arrivals = new Arrivals();
  let unsaved = 0;
  let isBroken = false;
  let lastOrdinal = stored?.extra.get('ordinal')?.reduce((most, one) => Math.max(most, one), 0) ?? 0;

  function openProperty(key: string): OpenProperty {
    const known = properties.get(key);
    if (known) return known;
    const property = (keys.has(key) && store.readProperty(websiteKey, dayNumber, key)) || createDayProperty();
    const opened = { property, lookup: new Map(property.values.map((value, index) => [value, index])) };
    properties.set(key, opened);
    keys.add(key);
    return opened;
  }

  function current(): Day {
    if (day && arrivals.count === 0) return day;
    if (isBroken) throw new Error(`Day ${dayNumber} of website ${websiteKey} could not be merged.`);
    isBroken = true; // the columns before are gone as soon as it begins
    day = mergeDay(day, dayNumber, arrivals);
    isBroken = false;
    discard(arrivals.bytes());
    arrivals = new Arrivals();
    return day;
  }

  return {
    websiteKey,
    dayNumber,
    unsavedCount: () => unsaved,
    eventCount: () => (day?.eventCount ?? 0) + arrivals.count,
    add(event) {
      if (event.key <= storedUntilKey) return; // read again after a crash between two commits
      if (arrivals.count >= ARRIVALS_MAX) current();
      const hasProperties = event.properties.length > 0;
      if (hasProperties) lastOrdinal += 1;
      arrivals.add(event, startMs, hasProperties ? lastOrdinal : 0);
      unsaved += 1;
      for (const { key, value, number } of event.properties) {
        if (!keys.has(key) && keys.size >= PROPERTY_KEYS_A_DAY_MAX) continue;
        const { property, lookup } = openProperty(key);
        appendProperty(property, lookup, { ordinal: lastOrdinal, value, isNumber: number !== undefined });
      }
    },
    current,
    property: (key) => properties.get(key)?.property ?? store.readProperty(websiteKey, dayNumber, key),
    propertyKeys: () => [...keys],
    prepare(untilKey) {
      const changed = new Map([...properties].map(([key, { property }]) => [key, property]));
      return store.prepare(websiteKey, current(), untilKey, changed);
    },
    saved() {
      unsaved = 0;
      for (const { property } of properties.values()) discard(propertyBytes(property));
      properties.clear();
    },
    bytes: () => (day ? sizeBytes(day) : 0) + arrivals.bytes(),
  };
}
