import type * as Engine from '../../analytics/analytics.ts';
import type { Activity, PageRow, Session, Visit, Visitor } from '../../contract/metrics-lists.ts';
import type { PageDetail } from '../../contract/metrics-pages.ts';
import type { Range } from '../time/range.ts';
import { toInstant, toRange } from './wire.ts';

export function toSession(session: Engine.Session): Session {
  const { sessionId, visitorId, firstAtMs, lastAtMs, ...rest } = session;
  return {
    sessionId,
    visitorId,
    startedAt: toInstant(firstAtMs),
    lastActivityAt: toInstant(lastAtMs),
    ...rest,
  };
}

export function toVisitor({ visitorId, firstAtMs, lastAtMs, ...rest }: Engine.Visitor): Visitor {
  return { visitorId, firstSeenAt: toInstant(firstAtMs), lastSeenAt: toInstant(lastAtMs), ...rest };
}

export function toVisit({ startMs, endMs, ...rest }: Engine.Visit): Visit {
  return { startedAt: toInstant(startMs), endedAt: toInstant(endMs), ...rest };
}

export function toActivity({ id, atMs, properties, ...rest }: Engine.PathEvent): Activity {
  return { id, createdAt: toInstant(atMs), ...rest, properties: toProperties(properties) };
}

/** Stored as the JSON text that was sent, always of an object. */
export function toProperties(text: string | null): Record<string, unknown> | null {
  return text === null ? null : JSON.parse(text);
}

export function toPageRow({ value, ...rest }: Engine.Page): PageRow {
  return { page: value, ...rest };
}

export function toPageDetail(range: Range, { totals, ...rest }: Engine.PageDetail): PageDetail {
  return { range: toRange(range), ...totals, ...rest };
}
