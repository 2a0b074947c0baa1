import { type Dimension, ONLINE_WINDOW_MS, REALTIME_MINUTES } from '../../../vocabulary/analytics.ts';
import { MINUTE_MS } from '../../../vocabulary/durations.ts';
import type { NowRow, Realtime, RealtimeRequest } from '../../analytics.ts';
import { ask, askParts, toScope } from '../ask.ts';
import { NOTHING, type PartAnswer } from '../groups.ts';
import { dimensionPart, seriesPart, wholePart } from '../parts.ts';
import type { Source } from '../read-window.ts';
import { createScan } from '../scan.ts';

/** Whether a list has a row for events without a value. */
const LISTS: Record<
  'pages' | 'sources' | 'countries' | 'events',
  { dimension: Dimension; withAbsent: boolean }
> = {
  pages: { dimension: 'page', withAbsent: false },
  sources: { dimension: 'source', withAbsent: true },
  countries: { dimension: 'country', withAbsent: true },
  events: { dimension: 'event', withAbsent: false },
};

export function answerRealtime(request: RealtimeRequest, source: Source): Promise<Realtime> {
  const { nowMs, limit, ...choices } = request;
  /** Ranges exclude their start and include their end. */
  const starts = Array.from(
    { length: REALTIME_MINUTES },
    (_, index) => nowMs - (REALTIME_MINUTES - index) * MINUTE_MS,
  );
  const toMs = nowMs + 1;
  const selection = { ...choices, fromMs: (starts[0] ?? nowMs) + 1, toMs };
  return ask(source, toScope(selection), async (window) => {
    const online = createScan(window);
    const lists = Object.values(LISTS).map((list) => dimensionPart(online, { ...list, limit }));
    const last = createScan(window);
    const bounds = [...starts.map((startMs) => startMs + 1), toMs];
    const [[total, pages, sources, countries, events], [minutes]] = await Promise.all([
      askParts(source, online, {
        parts: [wholePart(), ...lists],
        matching: online.matches({ ...selection, fromMs: nowMs - ONLINE_WINDOW_MS + 1 }),
      }),
      askParts(source, last, {
        parts: [seriesPart(bounds, selection)],
        matching: last.matches(selection),
      }),
    ]);
    const byStart = new Map(minutes?.groups.map((group) => [Number(group.value) - 1, group]));
    return {
      visitors: total?.groups[0]?.visitors ?? 0,
      minutes: starts.map((startMs) => {
        const group = byStart.get(startMs) ?? NOTHING;
        return { startMs, visitors: group.visitors, pageviews: group.pageviews, events: group.events };
      }),
      pages: toRows(pages),
      sources: toRows(sources),
      countries: toRows(countries),
      events: toRows(events),
    };
  });
}

function toRows(answer: PartAnswer | undefined): NowRow[] {
  return (answer?.groups ?? []).map(({ value, visitors, events }) => ({
    value: value || null,
    visitors,
    events,
  }));
}
