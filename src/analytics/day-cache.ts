import { type Day, freeDay, sizeBytes } from './day.ts';
import type { DayDigest } from './digest.ts';
import { createDigestCache } from './digest-cache.ts';
import { type Allocate, OWN, Slab } from './slab.ts';
import { createVisitorUnions, type VisitorUnions } from './visitor-unions.ts';

/**
 * Decoded days, bounded by bytes. A scan that is longer than the cache would push out each day just before it is needed
 * again; so a day is put in only in place of days that the present scan has not used, and otherwise passes through.
 */
export type DayCache = {
  /** A day is good until the next scan begins: its memory is given back when it leaves the cache. */
  get(id: string): Day | undefined;
  /**
   * Keeps a day that `read` makes, or lets it pass. Days that pass share their memory: each is good until the
   * PASSING_DAYS-th that comes after it.
   *
   * @param read puts the columns of a day of so many bytes where it is told
   */
  put(id: string, read: (placeFor: (bytes: number) => Allocate) => Day | undefined): Day | undefined;
  /** The digest of a day, which is small, so that far more of them are kept. Good until the second one after it. */
  digest(id: string, read: () => DayDigest | undefined): DayDigest | undefined;
  /**
   * Whether the days that the present scan uses may take so much more, as columns or sums. Days of other websites, whose
   * ids do not begin with `prefix`, leave for it: those of the same one will be asked for next.
   */
  hasRoom(bytes: number, prefix: string): boolean;
  /** Who was there on several days, as long as none of them changes. */
  unions: VisitorUnions;
  drop(id: string): void;
  dropAll(prefix: string): void;
  beginScan(): void;
  /** What days take that are not in here, because events are being added to them: so much less may be. */
  reserve(bytes: number): void;
  bytes(): number;
};

type Entry = { day: Day; bytes: number; scan: number };

/** The scan looks at a day and its neighbours at once. */
export const PASSING_DAYS = 3;

/**
 * Parts of the bound that are for digests (8 of 64 MiB, more than a million daily visitors), for unions of their visitors
 * and, not counted here, for what a question needs of its own days while it is answered (what it needs for each visitor
 * is in scratch).
 */
const DIGESTS_SHARE = 1 / 8;
const UNIONS_SHARE = 1 / 64;
const SCRATCH_SHARE = 1 / 8;

export function createDayCache(cacheBytesMax: number): DayCache {
  const allBytesMax = cacheBytesMax * (1 - DIGESTS_SHARE - UNIONS_SHARE - SCRATCH_SHARE);
  let bytesMax = allBytesMax;
  const digests = createDigestCache(cacheBytesMax * DIGESTS_SHARE);
  const unions = createVisitorUnions(cacheBytesMax * UNIONS_SHARE);
  const entries = new Map<string, Entry>();
  const slabs = Array.from({ length: PASSING_DAYS }, () => new Slab());
  /** Entries of the present scan. */
  const used = new Set<Entry>();
  let total = 0;
  let scan = 0;
  /** The last scan that days passed through. */
  let passedScan = 0;

  function drop(id: string): void {
    digests.drop(id);
    unions.drop(id);
    dropDay(id);
  }

  function dropDay(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    total -= entry.bytes;
    entries.delete(id);
    used.delete(entry);
    freeDay(entry.day);
  }

  function makeRoom(bytes: number): boolean {
    if (bytes > bytesMax) return false;
    for (const [oldest, entry] of entries) {
      if (total + bytes <= bytesMax || entry.scan === scan) break;
      dropDay(oldest);
    }
    return total + bytes <= bytesMax;
  }

  /** Columns and sums may have been added to the days that a scan uses. */
  function measure(): void {
    for (const entry of used) {
      const bytes = sizeBytes(entry.day);
      total += bytes - entry.bytes;
      entry.bytes = bytes;
    }
  }

  function nextSlab(bytes: number): Slab {
    const slab = slabs.shift() as Slab; // there are PASSING_DAYS of them
    slabs.push(slab);
    passedScan = scan;
    slab.begin(bytes);
    return slab;
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
      used.add(entry);
      entries.delete(id);
      entries.set(id, entry); // the last used one is the last of the map
      makeRoom(0);
      return entry.day;
    },
    put(id, read) {
      dropDay(id);
      let isKept = false;
      const day = read((bytes) => {
        isKept = makeRoom(bytes);
        return isKept ? OWN : nextSlab(bytes);
      });
      if (!day) return undefined;
      day.isPassing = !isKept;
      if (!isKept) return day;
      const entry = { day, bytes: sizeBytes(day), scan };
      entries.set(id, entry);
      used.add(entry);
      total += entry.bytes;
      return day;
    },
    hasRoom(bytes, prefix) {
      measure();
      for (const [id, entry] of entries) {
        if (total + bytes <= bytesMax) return true;
        if (entry.scan !== scan && !id.startsWith(prefix)) dropDay(id);
      }
      return total + bytes <= bytesMax;
    },
    digest: digests.get,
    unions,
    drop,
    dropAll(prefix) {
      digests.dropAll(prefix);
      unions.dropAll(prefix);
      for (const id of [...entries.keys()]) if (id.startsWith(prefix)) dropDay(id);
    },
    beginScan() {
      if (passedScan !== scan) for (const slab of slabs) slab.free(); // megabytes that few questions need
      scan += 1;
      digests.beginScan();
      unions.beginScan();
      measure();
      used.clear();
      for (const [oldest] of entries) {
        if (total <= bytesMax) break;
        dropDay(oldest);
      }
    },
    reserve(bytes) {
      bytesMax = Math.max(0, allBytesMax - bytes);
    },
    bytes: () => total + digests.bytes() + unions.bytes(),
  };
}
