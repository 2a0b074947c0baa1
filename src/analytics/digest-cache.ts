import { discardYoung, release } from '../garbage.ts';
import { type DayDigest, digestBytes } from './digest.ts';
import { ScanCache } from './scan-cache.ts';

/** Headlines look at a day and at the one before it. */
const PASSING_DIGESTS = 2;

/** Digests of days. One that finds no place is good until the PASSING_DIGESTS-th that comes after it. */
export function createDigestCache(bytesMax: number) {
  const kept = new ScanCache<DayDigest>(bytesMax, free);
  const passing: DayDigest[] = [];

  function pass(digest: DayDigest): void {
    passing.push(digest);
    if (passing.length > PASSING_DIGESTS) free(passing.shift() as DayDigest); // there is one
  }

  return {
    get(id: string, read: () => DayDigest | undefined): DayDigest | undefined {
      const known = kept.get(id);
      if (known) return known;
      const digest = read();
      if (!digest) return undefined;
      const bytes = digestBytes(digest);
      if (kept.hasRoom(bytes)) kept.put(id, digest, bytes);
      else pass(digest);
      return digest;
    },
    drop: (id: string) => kept.drop(id),
    dropAll: (prefix: string) => kept.dropAll(prefix),
    beginScan: () => kept.beginScan(),
    bytes: () => kept.bytes(),
  };
}

function free(digest: DayDigest): void {
  const { visitor, firstSlot, lastSlot, pageviews, starts, ends } = digest;
  const { headVisitor, headStartMs, tailVisitor, tailEndMs } = digest;
  for (const column of [visitor, firstSlot, lastSlot, pageviews, starts, ends]) release(column);
  for (const column of [headVisitor, headStartMs, tailVisitor, tailEndMs]) release(column);
  discardYoung(digestBytes(digest));
}
