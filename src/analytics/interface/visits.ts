import type { Client, PathEvent, Visit } from './people.ts';
import type { Revenue } from './revenue.ts';
import type { Filter, ListRequest } from './selection.ts';

export type VisitsRequest = ListRequest & {
  /** Leaves out visits with fewer pageviews. */
  pageviewsMin?: number;
  /** Maximum events of each visit. */
  stepsMax: number;
  /** Goals that may be reached in a visit. */
  conditions: readonly Filter[];
};

/** A whole visit that has a matching event. */
export type ListedVisit = Visit &
  Client & {
    visitorId: string;
    /** Session of the first event. */
    sessionId: string;
    /** First events, in order of time. */
    steps: PathEvent[];
    /** Revenue of these events in each currency, ordered by code. */
    revenue: Revenue[];
    /** Indices of the conditions that an event of it meets, ascending. */
    met: number[];
  };
