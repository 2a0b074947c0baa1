import { type DayDigest, digestBytes } from './digest.ts';

/** Digests of days, bounded by bytes; those that were used last are kept. */
export function createDigestCache(bytesMax: number) {
  const kept = new Map<string, DayDigest>();
  let total = 0;

  function drop(id: string): void {
    const digest = kept.get(id);
    if (!digest) return;
    total -= digestBytes(digest);
    kept.delete(id);
  }

  return {
    get(id: string, read: () => DayDigest | undefined): DayDigest | undefined {
      const digest = kept.get(id) ?? read();
      if (!digest) return undefined;
      drop(id);
      const bytes = digestBytes(digest);
      for (const oldest of kept.keys()) {
        if (total + bytes <= bytesMax) break;
        drop(oldest);
      }
      if (total + bytes > bytesMax) return digest;
      kept.set(id, digest); // the last used one is the last of the map
      total += bytes;
      return digest;
    },
    drop,
    ids: () => kept.keys(),
    bytes: () => total,
  };
}
