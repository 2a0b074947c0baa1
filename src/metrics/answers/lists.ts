import type * as EnginePages from '../../analytics/interface/pages.ts';
import type * as Engine from '../../analytics/interface/people.ts';
import type { Activity, PageRow, Session, Visit, Visitor } from '../../contract/metrics/lists.ts';
import type { PageDetail } from '../../contract/metrics/pages.ts';
import type { Range } from '../time/range.ts';
import { toRevenueList } from './revenue.ts';
import { toInstant, toRange } from './wire.ts';

export function toSession(session: Engine.Session): Session {
  const { sessionId, visitorId, firstAtMs, lastAtMs, matched, ...rest } = session;
  return {
    sessionId,
    visitorId,
    startedAt: toInstant(firstAtMs),
    lastActivityAt: toInstant(lastAtMs),
    ...rest,
    ...toMatched(matched),
  };
}

export function toVisitor({ visitorId, firstAtMs, lastAtMs, matched, ...rest }: Engine.Visitor): Visitor {
  return {
    visitorId,
    firstSeenAt: toInstant(firstAtMs),
    lastSeenAt: toInstant(lastAtMs),
    ...rest,
    ...toMatched(matched),
  };
}

function toMatched(matched: Engine.Matched | undefined): Pick<Session, 'matched'> {
  if (!matched) return {};
  const { lastAtMs, revenue, ...rest } = matched;
  return { matched: { ...rest, lastAt: toInstant(lastAtMs), revenue: toRevenueList(revenue) } };
}

export function toVisit({ startMs, endMs, ...rest }: Engine.Visit): Visit {
  return { startedAt: toInstant(startMs), endedAt: toInstant(endMs), ...rest };
}

function toActivity({ id, atMs, properties, ...rest }: Engine.PathEvent): Activity {
  return { id, createdAt: toInstant(atMs), ...rest, properties: toProperties(properties) };
}

/** Maximum characters of properties on a page: an event may have 16,384. */
const PAGE_PROPERTIES_MAX = 1_048_576;

type Page = { total: number; limit: number; offset: number };

/**
 * Converts a page of events. A page that would be too large ends early; its `limit` is then its number of events.
 *
 * @param isFile exports the whole page, because a file cannot state a lower limit
 */
export function toActivityPage(
  found: readonly Engine.PathEvent[],
  { total, limit, offset }: Page,
  { isFile }: { isFile: boolean },
) {
  let characters = 0;
  const end = found.findIndex(({ properties }, index) => {
    characters += properties?.length ?? 0;
    return !isFile && index > 0 && characters > PAGE_PROPERTIES_MAX;
  });
  const events = (end === -1 ? found : found.slice(0, end)).map(toActivity);
  return { events, pagination: { total, limit: end === -1 ? limit : end, offset } };
}

/** Parses properties, stored as the JSON text that was sent, which is always an object. */
export function toProperties(text: string | null): Record<string, unknown> | null {
  return text === null ? null : JSON.parse(text);
}

export function toPageRow({ value, ...rest }: EnginePages.Page): PageRow {
  return { page: value, ...rest };
}

export function toPageDetail(range: Range, { totals, ...rest }: EnginePages.PageDetail): PageDetail {
  return { range: toRange(range), ...totals, ...rest };
}
