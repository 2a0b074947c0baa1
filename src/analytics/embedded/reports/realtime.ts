import { ONLINE_WINDOW_MS, REALTIME_MINUTES } from '../../../vocabulary/analytics.ts';
import { MINUTE_MS } from '../../../vocabulary/durations.ts';
import type { NowRow, Realtime, RealtimeRequest } from '../../analytics.ts';
import type { Source } from '../query/source.ts';
import { answerQuery } from './query.ts';

/** Answers the current figures. The engine's half-open ranges end one millisecond after `nowMs`, so that it is included. */
export function answerRealtime(request: RealtimeRequest, source: Source): Realtime {
  const { nowMs, limit } = request;
  const toMs = nowMs + 1;
  const fromMs = toMs - REALTIME_MINUTES * MINUTE_MS;
  const bounds = Array.from({ length: REALTIME_MINUTES + 1 }, (_, minute) => fromMs + minute * MINUTE_MS);
  const { series = [] } = answerQuery({ ...request, fromMs, toMs, series: { bounds } }, source);
  const online = answerQuery(
    {
      ...request,
      fromMs: toMs - ONLINE_WINDOW_MS,
      toMs,
      totals: true,
      breakdowns: [
        { dimension: 'page', limit },
        { dimension: 'source', limit, withAbsent: true },
        { dimension: 'country', limit, withAbsent: true },
        { dimension: 'event', limit },
      ],
    },
    source,
  );
  const [pages, sources, countries, events] = (online.breakdowns ?? []).map(({ rows }) =>
    rows.map(({ value, visitors, events }): NowRow => ({ value, visitors, events })),
  );
  return {
    visitors: online.totals?.visitors ?? 0,
    minutes: series.map(({ visitors, pageviews, events }, minute) => ({
      startMs: (bounds[minute] ?? fromMs) - 1,
      visitors,
      pageviews,
      events,
    })),
    pages: pages ?? [],
    sources: sources ?? [],
    countries: countries ?? [],
    events: events ?? [],
  };
}
