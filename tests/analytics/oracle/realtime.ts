import type { NowRow, Realtime, RealtimeRequest } from '../../../src/analytics/analytics.ts';
import { type Dimension, ONLINE_WINDOW_MS, REALTIME_MINUTES } from '../../../src/vocabulary/analytics.ts';
import { compareTexts, groupByValue } from './breakdown.ts';
import { countVisitors } from './figures.ts';
import type { NaiveLog } from './log.ts';
import { type Match, select } from './selection.ts';
import { pageviewsOf } from './visits.ts';

const MINUTE_MS = 60_000;

export function toRealtime(log: NaiveLog, request: RealtimeRequest): Realtime {
  const { nowMs, limit, ...selection } = request;
  /** Keeps events in (afterMs, untilMs]. */
  const between = (afterMs: number, untilMs: number) =>
    select(log, { ...selection, fromMs: afterMs + 1, toMs: untilMs + 1 });
  const online = between(nowMs - ONLINE_WINDOW_MS, nowMs);
  return {
    visitors: countVisitors(online),
    minutes: Array.from({ length: REALTIME_MINUTES }, (_, index) => {
      /** Exclusive. */
      const startMs = nowMs - (REALTIME_MINUTES - index) * MINUTE_MS;
      const matches = between(startMs, startMs + MINUTE_MS);
      return {
        startMs,
        visitors: countVisitors(matches),
        pageviews: pageviewsOf(matches).length,
        events: matches.length,
      };
    }),
    pages: toNowRows(online, 'page', { limit, withAbsent: false }),
    sources: toNowRows(online, 'source', { limit, withAbsent: true }),
    countries: toNowRows(online, 'country', { limit, withAbsent: true }),
    events: toNowRows(online, 'event', { limit, withAbsent: false }),
  };
}

function toNowRows(
  matches: readonly Match[],
  dimension: Dimension,
  { limit, withAbsent }: { limit: number; withAbsent: boolean },
): NowRow[] {
  return groupByValue(matches, dimension)
    .filter(({ value }) => withAbsent || value !== '')
    .map(({ value, matches }) => ({
      value: value || null,
      visitors: countVisitors(matches),
      events: matches.length,
    }))
    .sort((a, b) => b.visitors - a.visitors || compareTexts(a.value, b.value))
    .slice(0, limit);
}
