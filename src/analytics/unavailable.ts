import { unavailableError } from '../errors.ts';
import type { Analytics } from './analytics.ts';

const RETRY_S = 60;

/** Stands in for the engine where there is none: every question is answered with a 503. */
export function createUnavailableAnalytics(): Analytics {
  const refuse = () => Promise.reject(unavailableError('Metrics are not available here', RETRY_S));
  return {
    query: refuse,
    values: refuse,
    realtime: refuse,
    sessions: refuse,
    session: refuse,
    visitors: refuse,
    visitor: refuse,
    pages: refuse,
    page: refuse,
    customEvents: refuse,
    propertyKeys: refuse,
    propertyValues: refuse,
    headlines: refuse,
    exportVisitor: refuse,
    eraseVisitor: refuse,
    forget: () => Promise.resolve(),
    rebuild: refuse,
    freshness: refuse,
    close: () => Promise.resolve(),
  };
}
