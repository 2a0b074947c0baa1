import { attempt } from './guard.ts';
import { uuid } from './ids.ts';
import { local, readItem, store, takeItems } from './storage.ts';

const page = uuid();
const ownKey = (address: string) => `${address} ${page}`;

/**
 * Stores the first of the events in place of what this page has stored before, and answers which: at most 500 and
 * about a megabyte, for the quota of some five belongs to the site.
 */
export const keep = (address: string, events: string[]): string[] => {
  const kept = events.slice(0, 500);
  while (kept.join().length > 500_000) kept.length >>= 1;
  const key = ownKey(address);
  return (kept[0] ? store(local, key, JSON.stringify(kept)) : takeItems(local, key)) ? kept : [];
};

/** Whether another page has taken what this one has stored. */
export const isTaken = (address: string): boolean => !readItem(local, ownKey(address));

/**
 * Takes what this page and others of the site have left behind for the same address: a site may report to two
 * services. Each page writes under a name of its own, so that tabs that are closed together do not overwrite
 * each other, and whoever takes events removes them first, so that two tabs do not send the same ones. What is
 * not a list was not written here.
 */
export const takeLeftovers = (address: string): string[] =>
  takeItems(local, `${address} `).flatMap(
    (text) => attempt((): string[] => JSON.parse(text).filter(String)) ?? [],
  );
