import { DAY_MS } from '../../vocabulary/durations.ts';

/** Offsets of time zones, asked of Intl once a day and kept. Wall times are milliseconds, as if the wall were in UTC. */

/** A stretch of time with one offset: wall time = instant + offset. */
type Span = { fromMs: number; toMs: number; offsetMs: number };

export type Zone = {
  /** As it was asked for. */
  name: string;
  offsetMs(instantMs: number): number;
  /** Half-open, ascending, without a gap, from `fromMs` to `toMs`. */
  spans(fromMs: number, toMs: number): Span[];
};

/** A zone keeps an entry for each UTC day asked about; 2,000 points of a day need 2,000. */
const DAYS_KEPT_MAX = 20_000;
const ZONES_KEPT_MAX = 50;
const zones = new Map<string, Zone>();

/** Undefined for what is no IANA name. Plain offsets (`+01:00`) have no daylight-saving rules and are refused. */
export function findZone(name: string): Zone | undefined {
  const known = zones.get(name);
  if (known) return known;
  const format = openFormat(name);
  if (!format) return undefined;
  const zone = createZone(name, format);
  const oldest = zones.size >= ZONES_KEPT_MAX ? zones.keys().next().value : undefined;
  if (oldest !== undefined) zones.delete(oldest);
  zones.set(name, zone);
  return zone;
}

export function requireUtc(): Zone {
  const zone = findZone('UTC');
  if (!zone) throw new Error('Intl does not know UTC.');
  return zone;
}

function openFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

function createZone(name: string, format: Intl.DateTimeFormat): Zone {
  const days = new Map<number, Span[]>();

  function spansOfDay(day: number): Span[] {
    const known = days.get(day);
    if (known) return known;
    if (days.size >= DAYS_KEPT_MAX) days.clear();
    const spans = readDay(format, day * DAY_MS);
    days.set(day, spans);
    return spans;
  }

  return {
    name,
    offsetMs(instantMs) {
      const [first, second] = spansOfDay(Math.floor(instantMs / DAY_MS));
      return (second && instantMs >= second.fromMs ? second : first)?.offsetMs ?? 0;
    },
    spans(fromMs, toMs) {
      const found: Span[] = [];
      for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day += 1)
        for (const span of spansOfDay(day)) append(found, span);
      return found
        .map((span) => ({
          ...span,
          fromMs: Math.max(span.fromMs, fromMs),
          toMs: Math.min(span.toMs, toMs),
        }))
        .filter((span) => span.fromMs < span.toMs);
    },
  };
}

function append(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last?.offsetMs === span.offsetMs) last.toMs = span.toMs;
  else spans.push({ ...span });
}

/** No zone has ever changed its offset twice within one UTC day. */
function readDay(format: Intl.DateTimeFormat, startMs: number): Span[] {
  const endMs = startMs + DAY_MS;
  const before = readOffset(format, startMs);
  const after = readOffset(format, endMs - 1);
  if (before === after) return [{ fromMs: startMs, toMs: endMs, offsetMs: before }];
  let [low, high] = [startMs, endMs - 1]; // the offset at low is `before`, at high `after`
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (readOffset(format, middle) === before) low = middle;
    else high = middle;
  }
  return [
    { fromMs: startMs, toMs: high, offsetMs: before },
    { fromMs: high, toMs: endMs, offsetMs: after },
  ];
}

/** `1/1/1970, GMT-00:44:30`; `GMT` alone is 0. */
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

function readOffset(format: Intl.DateTimeFormat, instantMs: number): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(format.format(instantMs)) ?? [];
  const sizeMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -sizeMs : sizeMs;
}
