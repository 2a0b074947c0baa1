import type { LocalDatabase } from '../db/local-database.ts';
import type { Query, QueryAnswer } from './analytics.ts';
import { createDayCache } from './day-cache.ts';
import { createDayStore } from './day-store.ts';
import { createDays, type Days } from './days.ts';
import { answerQuery } from './query.ts';
import { createTail } from './tail.ts';
import { createWebsiteTerms, type WebsiteTerms } from './website-terms.ts';

export type EngineOptions = {
  database: LocalDatabase;
  /** Bound of the decoded days in memory. */
  cacheBytesMax: number;
  onError: (error: unknown) => void;
};

export function createEngine({ database, cacheBytesMax, onError }: EngineOptions) {
  const store = createDayStore(database);
  const cache = createDayCache(cacheBytesMax);
  const terms = new Map<number, WebsiteTerms>();
  const tail = createTail({ database, store, termsOf, onOpen: (id) => cache.drop(id) });
  void onError;

  function termsOf(websiteKey: number): WebsiteTerms {
    const known = terms.get(websiteKey) ?? createWebsiteTerms(database, websiteKey);
    terms.set(websiteKey, known);
    return known;
  }
  function daysOf(websiteKey: number): Days {
    return createDays(websiteKey, { store, cache, tail });
  }

  return {
    async query(request: Query): Promise<QueryAnswer> {
      await tail.catchUp();
      return answerQuery(request, termsOf(request.websiteKey), daysOf(request.websiteKey));
    },
    tail,
    cache,
  };
}
