import { nameOfRegion, type RegionNames } from '../../vocabulary/places.ts';

/** Names of regions: 40 kB that are loaded when the first region is shown. */

let names: RegionNames | undefined;
let isLoading = false;
const listeners = new Set<() => void>();

/** Returns the code until the names are loaded. */
export function toRegionName(region: string): string {
  if (!names) loadNames();
  return nameOfRegion(names ?? {}, region);
}

function loadNames(): void {
  if (isLoading) return;
  isLoading = true;
  import('../../vocabulary/region-names.json').then(
    (file) => {
      names = file.default;
      for (const listener of listeners) listener();
    },
    () => {
      isLoading = false; // unreachable: the next region tries again
    },
  );
}

/** Calls a listener when the names arrive. @returns a function that stops it */
export function onRegionNames(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
