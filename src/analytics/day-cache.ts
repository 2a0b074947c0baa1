import { type Day, freeDay, sizeBytes } from './day.ts';
import { freeSums, type KeptSums } from './day-sums.ts';
import type { DayDigest } from './digest.ts';
import { createDigestCache } from './digest-cache.ts';
import { rememberJoints } from './joints.ts';
import { PASSING_DAYS, PassingDays } from './passing-days.ts';
import { ScanCache } from './scan-cache.ts';
import { type Allocate, OWN, SLAB_KEPT_BYTES_MAX } from './slab.ts';
import { createVisitorUnions, type VisitorUnions } from './visitor-unions.ts';

/**
 * Decoded days, bounded by bytes. A scan that is longer than the cache would push out each day just before it is needed
 * again; so a day is put in only in place of days that the present scan does not use, and otherwise passes through.
 */
export type DayCache = {
  /** A day is good until the PASSING_DAYS-th after it: its memory is given back when it leaves the cache. */
  get(id: string): Day | undefined;
  /**
   * Keeps a day that `read` makes, or lets it pass. Days that pass share their memory: each is good until the
   * PASSING_DAYS-th that comes after it. For large ones others that were used before go.
   *
   * @param read puts the columns of a day of so many bytes where it is told
   */
  put(id: string, read: (placeFor: (bytes: number) => Allocate) => Day | undefined): Day | undefined;
  /** The digest of a day, which is small, so that far more of them are kept. Good until the second one after it. */
  digest(id: string, read: () => DayDigest | undefined): DayDigest | undefined;
  /**
   * Where sums of a day are kept, longer than the day itself: they are small. Good during the present scan.
   *
   * @param bytes what they will take, about. @returns undefined when there is no room
   */
  sums(id: string, bytes: number): KeptSums | undefined;
  /** Who was there on several days, as long as none of them changes. */
  unions: VisitorUnions;
  drop(id: string): void;
  dropAll(prefix: string): void;
  /** @param days numbers of those that it is about, of the website whose ids begin so */
  beginScan(days?: { prefix: string; from: number; to: number }): void;
  /**
   * What days take that are not in here, because events are being added to them: so much less may be. To be called
   * between scans.
   */
  reserve(bytes: number): void;
  bytes(): number;
};

type Entry = { day: Day; bytes: number; scan: number };

/**
 * Parts of the bound that are for digests (8 of 64 MiB, more than a million daily visitors), for unions of their visitors
 * and, not counted here, for what a question needs of its own days while it is answered (what it needs for each visitor
 * is in scratch). Sums take the place of days, up to their part, and keep it beside days that are being added to: a day
 * that has left the cache is counted in half the time with them.
 */
const SUMS_SHARE = 1 / 8;
const DIGESTS_SHARE = 1 / 8;
const UNIONS_SHARE = 1 / 64;
const SCRATCH_SHARE = 1 / 8;

export function createDayCache(cacheBytesMax: number): DayCache {
  const allBytesMax = cacheBytesMax * (1 - DIGESTS_SHARE - UNIONS_SHARE - SCRATCH_SHARE);
  let bytesMax = allBytesMax;
  const digests = createDigestCache(cacheBytesMax * DIGESTS_SHARE);
  const sums = new ScanCache<KeptSums>(cacheBytesMax * SUMS_SHARE, freeSums);
  const unions = createVisitorUnions(cacheBytesMax * UNIONS_SHARE);
  const entries = new Map<string, Entry>();
  const passing = new PassingDays();
  /** Entries of the present scan. */
  const used = new Set<Entry>();
  let total = 0;
  let scan = 0;

  function drop(id: string): void {
    digests.drop(id);
    sums.drop(id);
    unions.drop(id);
    dropDay(id);
    passing.drop((one) => one === id);
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
    if (bytes > room()) return false;
    for (const [oldest, entry] of entries) {
      if (total + bytes <= room()) break;
      if (entry.scan !== scan) dropDay(oldest);
    }
    return total + bytes <= room();
  }

  /** Beside sums, and the large days that pass. */
  function room(): number {
    return bytesMax - sums.bytes() - passing.largeBytes();
  }

  /** @param spared so many that were used last stay. @param bytes room for so much more */
  function shrink(spared: number, bytes = 0): void {
    let others = entries.size - spared;
    for (const [oldest] of entries) {
      if (total + bytes <= room() || others <= 0) break;
      dropDay(oldest);
      others -= 1;
    }
  }

  /** Columns may have been added to the days that a scan uses. */
  function measure(): void {
    for (const entry of used) {
      const bytes = sizeBytes(entry.day);
      total += bytes - entry.bytes;
      entry.bytes = bytes;
    }
  }

  function beginPassing(bytes: number): Allocate {
    if (bytes > SLAB_KEPT_BYTES_MAX) shrink(PASSING_DAYS, bytes);
    return passing.begin(bytes);
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (!entry) {
        const bytes = passing.sizeBytes(id);
        return bytes > 0 && !makeRoom(bytes) ? passing.get(id) : undefined; // what finds room is read once more
      }
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
      passing.leave(id);
      let isKept = false;
      const day = read((bytes) => {
        isKept = makeRoom(bytes);
        return isKept ? OWN : beginPassing(bytes);
      });
      if (!day) return undefined;
      day.isPassing = !isKept;
      const joints = sums.get(id)?.joints;
      if (joints) rememberJoints(day, joints);
      if (!isKept) {
        passing.put(id, day);
        return day;
      }
      const entry = { day, bytes: sizeBytes(day), scan };
      entries.set(id, entry);
      used.add(entry);
      total += entry.bytes;
      return day;
    },
    sums(id, bytes) {
      const known = sums.get(id);
      if (known) return known;
      if (!sums.hasRoom(bytes)) return undefined;
      const kept = {
        joints: undefined,
        known: new Map(),
        grow: (more: number) => sums.grow(id, more),
      };
      sums.put(id, kept, 0);
      return kept;
    },
    digest: digests.get,
    unions,
    drop,
    dropAll(prefix) {
      digests.dropAll(prefix);
      sums.dropAll(prefix);
      unions.dropAll(prefix);
      for (const id of [...entries.keys()]) if (id.startsWith(prefix)) dropDay(id);
      passing.drop((id) => id.startsWith(prefix));
    },
    beginScan(days) {
      passing.beginScan();
      scan += 1;
      digests.beginScan();
      sums.beginScan();
      unions.beginScan();
      measure();
      used.clear();
      shrink(0);
      if (!days) return;
      for (const [id, entry] of entries) {
        const day = id.startsWith(days.prefix) ? Number(id.slice(days.prefix.length)) : Number.NaN;
        if (day >= days.from && day <= days.to) entry.scan = scan;
      }
    },
    reserve(bytes) {
      bytesMax = Math.max(0, allBytesMax - bytes);
      shrink(0);
    },
    bytes: () => total + sums.bytes() + digests.bytes() + unions.bytes(),
  };
}
