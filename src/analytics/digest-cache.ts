import { discardYoung, release } from '../garbage.ts';
import { type DayDigest, digestBytes } from './digest.ts';

/** Headlines look at a day and at the one before it. */
const PASSING_DIGESTS = 2;

type Entry = { digest: DayDigest; bytes: number; scan: number };

/**
 * Digests of days, bounded by bytes. As with days (see day-cache), a scan that is longer than the cache would push out
 * each one just before it is needed again, so a digest takes only the place of those that the present scan has not used.
 * One that finds no place is good until the PASSING_DIGESTS-th that comes after it.
 */
export function createDigestCache(bytesMax: number) {
  const entries = new Map<string, Entry>();
  const passing: DayDigest[] = [];
  let total = 0;
  let scan = 0;

  function drop(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    total -= entry.bytes;
    entries.delete(id);
    free(entry.digest);
  }

  function hasRoom(bytes: number): boolean {
    if (bytes > bytesMax) return false;
    for (const [oldest, entry] of entries) {
      if (total + bytes <= bytesMax || entry.scan === scan) break;
      drop(oldest);
    }
    return total + bytes <= bytesMax;
  }

  function pass(digest: DayDigest): void {
    passing.push(digest);
    if (passing.length > PASSING_DIGESTS) free(passing.shift() as DayDigest); // there is one
  }

  return {
    get(id: string, read: () => DayDigest | undefined): DayDigest | undefined {
      const known = entries.get(id);
      const digest = known?.digest ?? read();
      if (!digest) return undefined;
      const bytes = known?.bytes ?? digestBytes(digest);
      if (!known && !hasRoom(bytes)) {
        pass(digest);
        return digest;
      }
      if (!known) total += bytes;
      entries.delete(id);
      entries.set(id, { digest, bytes, scan }); // the last used one is the last of the map
      return digest;
    },
    drop,
    ids: () => entries.keys(),
    beginScan(): void {
      scan += 1;
    },
    bytes: () => total,
  };
}

function free(digest: DayDigest): void {
  const { visitor, firstSlot, lastSlot, pageviews, starts, ends } = digest;
  const { headVisitor, headStartMs, tailVisitor, tailEndMs } = digest;
  for (const column of [visitor, firstSlot, lastSlot, pageviews, starts, ends]) release(column);
  for (const column of [headVisitor, headStartMs, tailVisitor, tailEndMs]) release(column);
  discardYoung(digestBytes(digest));
}
