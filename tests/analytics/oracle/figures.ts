import type { Figures } from '../../../src/analytics/interface/query.ts';
import type { Match } from './selection.ts';
import { type NaiveVisit, pageviewsOf } from './visits.ts';

/** The visits whose means are taken, where these are not those of the events. */
type MeansOf = { bounceRate?: readonly NaiveVisit[]; visitDuration?: readonly NaiveVisit[] };

export function toFigures(matches: readonly Match[], meansOf: MeansOf = {}, withWeights = false): Figures {
  const visits = visitsOf(matches);
  const pageviews = pageviewsOf(matches).length;
  const { bounceRate: bouncing = visits, visitDuration: lasting = visits } = meansOf;
  const bounces = bouncing.filter(({ isBounce }) => isBounce).length;
  const durationMs = lasting.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs), 0);
  return {
    visitors: countVisitors(matches),
    visits: visits.length,
    pageviews,
    events: matches.length,
    viewsPerVisit: divide(pageviews, visits.length),
    bounceRate: divide(bounces, bouncing.length),
    visitDuration: divide(durationMs, lasting.length) / 1000,
    ...(withWeights && { weights: { bounceRate: bouncing.length, visitDuration: lasting.length } }),
  };
}

/** Figures of one page's events: bounces are a matter of the visits that began there. */
export function toPageFigures(
  page: string,
  onPage: readonly Match[],
  matches: readonly Match[],
  withWeights?: boolean,
): Figures {
  const entered = visitsOf(matches).filter(({ entryPage }) => entryPage === page);
  return toFigures(onPage, { bounceRate: entered }, withWeights);
}

export function countVisitors(matches: readonly Match[]): number {
  return new Set(matches.map(({ event }) => event.visitorId)).size;
}

/** Visits that have one of the events, each once. */
export function visitsOf(matches: readonly Match[]): NaiveVisit[] {
  return [...new Set(matches.map(({ visit }) => visit))];
}

/** A quotient without visits is 0. */
export function divide(dividend: number, divisor: number): number {
  return divisor === 0 ? 0 : dividend / divisor;
}
