import { giveBack } from '../garbage.ts';
import type { Day, FurtherColumns } from './day.ts';
import { AddedRows, type DayProperty, withRows } from './day-properties.ts';
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

/** @param isEmpty without what is on disk, which it is to replace */
export function openDay(store: DayStore, websiteKey: number, dayNumber: number, isEmpty = false): OpenDay {
  const storedUntilKey = isEmpty ? 0 : store.untilKey(websiteKey, dayNumber);
  const first = isEmpty ? undefined : store.read(websiteKey, dayNumber);
  const stored = store.further(websiteKey, dayNumber);
  const growing = createGrowingDay(dayNumber, first, stored);
  const keys = new Set(first ? store.propertyKeys(websiteKey, dayNumber) : []);
  /** Those that no block on disk has. */
  const added = new Map<string, AddedRows>();
  let hasStored = !isEmpty;
  let unsaved = 0;
  let lastOrdinal = isEmpty ? 0 : greatest(stored.extra('ordinal'));

  function storedProperty(key: string): DayProperty | undefined {
    return hasStored ? store.readProperty(websiteKey, dayNumber, key) : undefined;
  }

  function property(key: string): DayProperty | undefined {
    const rows = added.get(key);
    return rows ? withRows(storedProperty(key), rows) : storedProperty(key);
  }

  /** One after the other: all of a busy day's at once would be megabytes. */
  function* changed(): Generator<[key: string, property: DayProperty]> {
    for (const [key, rows] of added) yield [key, withRows(storedProperty(key), rows)];
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
        const rows = added.get(key) ?? new AddedRows();
        rows.add(lastOrdinal, value, number !== undefined);
        added.set(key, rows);
        keys.add(key);
      }
    },
    current: growing.current,
    extra: growing.extra,
    wide: growing.wide,
    property,
    propertyKeys: () => [...keys],
    prepare(untilKey) {
      const properties = changed();
      return store.prepare({ websiteKey, day: growing.current(), further: growing, untilKey, properties });
    },
    saved() {
      unsaved = 0;
      hasStored = true;
      growing.saved();
      added.clear();
    },
    bytes: () => [...added.values()].reduce((sum, rows) => sum + rows.bytes(), growing.bytes()),
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
