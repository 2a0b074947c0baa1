import { discard, giveBack } from '../garbage.ts';
import type { Day, FurtherColumns } from './day.ts';
import { appendProperty, createDayProperty, type DayProperty, propertyBytes } from './day-properties.ts';
import type { DayStore } from './day-store.ts';
import type { DayWrite } from './day-write.ts';
import { createGrowingDay } from './growing-day.ts';
import type { PendingEvent } from './read-event.ts';
import { PROPERTY_KEYS_A_DAY_MAX } from './vocabulary.ts';

/** A day that events are being added to: what is on disk, what was added since, and the two merged when asked. */
export type OpenDay = FurtherColumns & {
  websiteKey: number;
  dayNumber: number;
  /** Events that no block on disk holds yet. */
  unsavedCount(): number;
  eventCount(): number;
  /** Leaves out what the block has already. Events come in the order of their keys. */
  add(event: PendingEvent): void;
  /** With everything that was added, without further columns. Good until the next event is added. */
  current(): Day;
  property(key: string): DayProperty | undefined;
  propertyKeys(): string[];
  /** Packs the day; the result writes it, and `saved` is to be called after the commit. Nothing is to be added before. */
  prepare(untilKey: number): DayWrite;
  saved(): void;
  bytes(): number;
  /** Gives its memory back at once; it is not to be used any more. */
  free(): void;
};

type OpenProperty = { property: DayProperty; lookup: Map<string, number> };

/** @param isEmpty without what is on disk, which it is to replace */
export function openDay(store: DayStore, websiteKey: number, dayNumber: number, isEmpty = false): OpenDay {
  const storedUntilKey = isEmpty ? 0 : store.untilKey(websiteKey, dayNumber);
  const first = isEmpty ? undefined : store.read(websiteKey, dayNumber);
  const stored = store.further(websiteKey, dayNumber);
  const growing = createGrowingDay(dayNumber, first, stored);
  const keys = new Set(first ? store.propertyKeys(websiteKey, dayNumber) : []);
  const properties = new Map<string, OpenProperty>();
  let unsaved = 0;
  let lastOrdinal = isEmpty ? 0 : greatest(stored.extra('ordinal'));

  function openProperty(key: string): OpenProperty {
    const known = properties.get(key);
    if (known) return known;
    const property = (keys.has(key) && store.readProperty(websiteKey, dayNumber, key)) || createDayProperty();
    const opened = { property, lookup: new Map(property.values.map((value, index) => [value, index])) };
    properties.set(key, opened);
    keys.add(key);
    return opened;
  }

  return {
    websiteKey,
    dayNumber,
    unsavedCount: () => unsaved,
    eventCount: growing.eventCount,
    add(event) {
      if (event.key <= storedUntilKey) return; // read again after a crash between two commits
      const hasProperties = event.properties.length > 0;
      if (hasProperties) lastOrdinal += 1;
      growing.add(event, hasProperties ? lastOrdinal : 0);
      unsaved += 1;
      for (const { key, value, number } of event.properties) {
        if (!keys.has(key) && keys.size >= PROPERTY_KEYS_A_DAY_MAX) continue;
        const { property, lookup } = openProperty(key);
        appendProperty(property, lookup, { ordinal: lastOrdinal, value, isNumber: number !== undefined });
      }
    },
    current: growing.current,
    extra: growing.extra,
    wide: growing.wide,
    property: (key) => properties.get(key)?.property ?? store.readProperty(websiteKey, dayNumber, key),
    propertyKeys: () => [...keys],
    prepare(untilKey) {
      const changed = new Map([...properties].map(([key, { property }]) => [key, property]));
      return store.prepare({
        websiteKey,
        day: growing.current(),
        further: growing,
        untilKey,
        properties: changed,
      });
    },
    saved() {
      unsaved = 0;
      growing.saved();
      for (const { property } of properties.values()) discard(propertyBytes(property));
      properties.clear();
    },
    bytes: growing.bytes,
    free: growing.free,
  };
}

/** Of a column that nobody needs any more. */
function greatest(stretches: Iterable<Uint32Array>): number {
  let most = 0;
  for (const column of stretches) {
    for (let row = 0; row < column.length; row += 1) most = Math.max(most, column[row] as number); // within it
    giveBack(column);
  }
  return most;
}
