import type { Figures } from '../../../src/analytics/analytics.ts';
import type { Match } from './selection.ts';
import { pageviewsOf } from './visits.ts';

export function toFigures(matches: readonly Match[]): Figures {
  const visits = [...new Set(matches.map(({ visit }) => visit))];
  const pageviews = pageviewsOf(matches).length;
  const bounces = visits.filter(({ isBounce }) => isBounce).length;
  const durationMs = visits.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs), 0);
  return {
    visitors: countVisitors(matches),
    visits: visits.length,
    pageviews,
    events: matches.length,
    viewsPerVisit: divide(pageviews, visits.length),
    bounceRate: divide(bounces, visits.length),
    visitDuration: divide(durationMs, visits.length) / 1000,
  };
}

export function countVisitors(matches: readonly Match[]): number {
  return new Set(matches.map(({ event }) => event.visitorId)).size;
}

export function countVisits(matches: readonly Match[]): number {
  return new Set(matches.map(({ visit }) => visit)).size;
}

/** A quotient without visits is 0. */
export function divide(dividend: number, divisor: number): number {
  return divisor === 0 ? 0 : dividend / divisor;
}
