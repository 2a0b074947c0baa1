import type { Analytics, NowRow, RealtimeRequest } from '../../analytics/analytics.ts';
import type { Realtime } from '../../contract/metrics-realtime.ts';
import { ONLINE_WINDOW_MS } from '../../vocabulary/analytics.ts';
import type { Table } from '../files/format.ts';
import { toInstant } from './wire.ts';

const WINDOW_MINUTES = ONLINE_WINDOW_MS / 60_000;

export async function answerRealtime(analytics: Analytics, request: RealtimeRequest): Promise<Realtime> {
  const { visitors, minutes, pages, sources, countries, events } = await analytics.realtime(request);
  return {
    at: toInstant(request.nowMs),
    windowMinutes: WINDOW_MINUTES,
    visitors,
    minutes: minutes.map(({ startMs, ...counts }) => ({ time: toInstant(startMs), ...counts })),
    pages,
    sources,
    countries,
    events,
  };
}

/** What has to differ for a snapshot to be news: the counts, not the instants, which always do. */
export function toNews({ at: _at, minutes, ...rest }: Realtime): string {
  return JSON.stringify([rest, minutes.map(({ time: _time, ...counts }) => counts)]);
}

export function realtimeTable(
  name: string,
  { at, visitors, minutes, pages, sources, countries, events }: Realtime,
): Table {
  const listed = (list: string, rows: NowRow[]) => rows.map((row) => ({ list, ...row }));
  return {
    name,
    columns: ['list', 'time', 'value', 'visitors', 'pageviews', 'events'],
    rows: [
      { list: 'online', time: at, visitors },
      ...minutes.map((minute) => ({ list: 'minutes', ...minute })),
      ...listed('pages', pages),
      ...listed('sources', sources),
      ...listed('countries', countries),
      ...listed('events', events),
    ],
  };
}
