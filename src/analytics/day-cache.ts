import { type Day, sizeBytes } from './day.ts';

/**
 * Decoded days, bounded by bytes. A scan that is longer than the cache would push out each day just before it is needed
 * again; so a day is put in only in place of days that the present scan has not used, and otherwise not kept.
 */
export type DayCache = {
  get(id: string): Day | undefined;
  put(id: string, day: Day): void;
  drop(id: string): void;
  dropAll(prefix: string): void;
  beginScan(): void;
  bytes(): number;
};

type Entry = { day: Day; bytes: number; scan: number };

export function createDayCache(bytesMax: number): DayCache {
  const entries = new Map<string, Entry>();
  let total = 0;
  let scan = 0;

  function drop(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    total -= entry.bytes;
    entries.delete(id);
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (!entry) return undefined;
      // Columns may have been added since.
      const bytes = sizeBytes(entry.day);
      total += bytes - entry.bytes;
      entry.bytes = bytes;
      entry.scan = scan;
      entries.delete(id);
      entries.set(id, entry); // the last used one is the last of the map
      return entry.day;
    },
    put(id, day) {
      drop(id);
      const bytes = sizeBytes(day);
      for (const [oldest, entry] of entries) {
        if (total + bytes <= bytesMax || entry.scan === scan) break;
        drop(oldest);
      }
      if (total + bytes > bytesMax) return;
      entries.set(id, { day, bytes, scan });
      total += bytes;
    },
    drop,
    dropAll(prefix) {
      for (const id of [...entries.keys()]) if (id.startsWith(prefix)) drop(id);
    },
    beginScan() {
      scan += 1;
      // Columns that were added to cached days may have passed the bound.
      for (const [oldest] of entries) {
        if (total <= bytesMax) break;
        drop(oldest);
      }
    },
    bytes: () => total,
  };
}
