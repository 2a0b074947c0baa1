import type { LocalDatabase } from '../db/local-database.ts';
import { createTerms, type Terms } from './terms.ts';
import { createTuples, type Tuples } from './tuples.ts';
import { createVisitorNumbers, type VisitorNumbers } from './visitor-numbers.ts';
import { CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from './vocabulary.ts';

/** All dictionaries of one website. */
export type WebsiteTerms = {
  websiteKey: number;
  page: Terms;
  hostname: Terms;
  event: Terms;
  clients: Tuples;
  origins: Tuples;
  visitors: VisitorNumbers;
  /** A write for each row that is new; `saved` is to be called after all are committed. Writing one twice is harmless. */
  unsaved(): Iterable<() => void>;
  saved(): void;
};

export function createWebsiteTerms(database: LocalDatabase, websiteKey: number): WebsiteTerms {
  const page = createTerms(database, websiteKey, 'page');
  const hostname = createTerms(database, websiteKey, 'hostname');
  const event = createTerms(database, websiteKey, 'event');
  const client = createTerms(database, websiteKey, 'client');
  const origin = createTerms(database, websiteKey, 'origin');
  const visitors = createVisitorNumbers(database, websiteKey);
  const all = [page, hostname, event, client, origin, visitors];
  return {
    websiteKey,
    page,
    hostname,
    event,
    clients: createTuples(client, CLIENT_DIMENSIONS.length),
    origins: createTuples(origin, ORIGIN_DIMENSIONS.length),
    visitors,
    *unsaved() {
      for (const part of all) yield* part.unsaved();
    },
    saved: () => {
      for (const part of all) part.saved();
    },
  };
}
