import { ofDocument } from './dom.ts';
import { attempt } from './guard.ts';
import { isAnonymous, local, readItem, store, takeItems } from './storage.ts';

const page = Math.random();

/**
 * Stores the first of the events in place of what this page has stored before, and answers how many: at most 500 and
 * about a megabyte, for the quota of some five belongs to the site. None without ids.
 */
export const keep = (address: string, events: string[]): number => {
  const kept = isAnonymous() ? [] : events.slice(0, 500);
  while (kept.join().length > 500_000) kept.length >>= 1;
  const isKept = kept[0]
    ? store(local, `${address} ${page}`, JSON.stringify(kept))
    : takeItems(local, `${address} ${page}`);
  return isKept ? kept.length : 0;
};

export const takeLeftovers = (address: string): string[] =>
  (ofDocument('hidden') ? [readItem(local, `${address} ${page}`)] : takeItems(local, `${address} `)).flatMap(
    (text) => attempt((): string[] => JSON.parse(text as string).filter(String)) ?? [],
  );
