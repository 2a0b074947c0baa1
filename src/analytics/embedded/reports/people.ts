import { packId, unpackId } from '../../../db/packed-id.ts';
import { toLoggedEvent } from '../../../log/columns.ts';
import type { EventPosition } from '../../../log/event.ts';
import { DETAIL_VISITS_MAX } from '../../../vocabulary/analytics.ts';
import type { Analytics } from '../../analytics.ts';
import { hashSession } from '../../derive/session.ts';
import type {
  ExportRequest,
  Matched,
  Session,
  SessionDetail,
  Visit,
  Visitor,
  VisitorDetail,
} from '../../interface/people.ts';
import type { List, ListRequest, Selection } from '../../interface/selection.ts';
import { eachHit } from '../query/matches.ts';
import { Scan } from '../query/scan.ts';
import type { Source } from '../query/source.ts';
import type { Segment } from '../segment/segment.ts';
import { clientOf, originOf, pageText, type VisitPlace } from './facts.ts';
import { collectGroups, compareMoments, type Group } from './group-collector.ts';
import { type Listed, listGroups } from './groups.ts';
import { toPathEvent } from './log-events.ts';
import { answerQuery } from './query.ts';

/** Sessions and visitors: their lists, and one of them in detail. */

type Ids = { sessionId: string; visitorId: string };

export async function listSessions(request: ListRequest, source: Source): Promise<List<Session>> {
  const { groups, total } = listGroups('session', request, source);
  const rows = groups.map((group) => ({ ...toSession(group, source), ...matchedOf(group) }));
  const ids = await idsOf(groups, source);
  return { rows: rows.map((row, index) => ({ ...row, ...ids[index] })), total };
}

export async function listVisitors(request: ListRequest, source: Source): Promise<List<Visitor>> {
  const { groups, total } = listGroups('visitor', request, source);
  const rows = groups.map((group) => ({ ...toVisitor(group, source), ...matchedOf(group) }));
  const ids = await idsOf(groups, source);
  return { rows: rows.map((row, index) => ({ ...row, visitorId: ids[index]?.visitorId ?? '' })), total };
}

function matchedOf({ matched }: Listed): { matched?: Matched } {
  return matched ? { matched } : {};
}

export async function findSession(
  { websiteKey, sessionId, limit, offset }: Parameters<Analytics['session']>[0],
  source: Source,
): Promise<SessionDetail | undefined> {
  const wanted = hashSession(packId(sessionId));
  const scan = new Scan(allTime(websiteKey), source);
  const [group] = collectGroups('session', scan, (id) => id === wanted);
  if (!group) return undefined;
  const session = toSession(group, source);
  const moments: EventPosition[] = [];
  scan.run((vector) => {
    const hashes = vector.segment.column('sessions');
    const local = hashes.indexOf(wanted);
    if (local < 0) return;
    vector.segment.column('session').forEach((own, event) => {
      if (own === local) moments.push(momentOf(vector.segment, event));
    });
  });
  const [ids] = await idsOf([group], source);
  const keys = inOrder(moments).slice(offset, offset + limit);
  return {
    session: { ...session, visitorId: ids?.visitorId ?? '', sessionId },
    events: (await source.readKeys(keys)).map(toPathEvent),
  };
}

export async function findVisitor(
  { websiteKey, visitorId, limit, offset }: Parameters<Analytics['visitor']>[0],
  source: Source,
): Promise<VisitorDetail | undefined> {
  const code = source.website.dictionaries.visitors.find(packId(visitorId));
  if (code === 0) return undefined;
  const scan = new Scan(allTime(websiteKey), source, { visitor: code });
  const [group] = collectGroups('visitor', scan, () => true);
  if (!group) return undefined;
  const visitor = toVisitor(group, source);
  const visits: (VisitPlace & { last: EventPosition })[] = [];
  scan.run(({ segment, count, visits: selected }) => {
    const first = segment.column('first');
    for (const visit of selected.subarray(0, count))
      visits.push({ segment, visit, last: momentOf(segment, (first[visit + 1] as number) - 1) });
  });
  const keys = inOrder(momentsOf(scan)).reverse();
  return {
    visitor: { ...visitor, visitorId },
    visits: visits
      .sort((a, b) => compareMoments(b.last, a.last))
      .slice(0, DETAIL_VISITS_MAX)
      .map((place) => toVisit(place, source)),
    events: (await source.readKeys(keys.slice(offset, offset + limit))).map(toPathEvent),
  };
}

/** Exports the next events of a visitor, in order of time. */
export async function exportVisitor(
  { websiteKey, visitorId, after, limit }: ExportRequest,
  source: Source,
): ReturnType<Analytics['exportVisitor']> {
  const code = source.website.dictionaries.visitors.find(packId(visitorId));
  if (code === 0) return { events: [], next: undefined };
  const moments = momentsOf(new Scan(allTime(websiteKey), source, { visitor: code }))
    .filter((moment) => !after || compareMoments(moment, after) > 0)
    .sort(compareMoments)
    .slice(0, limit);
  const events = await source.readKeys(moments.map(({ key }) => key));
  return { events: events.map(toLoggedEvent), next: moments.length === limit ? moments.at(-1) : undefined };
}

/** Returns the keys of all events of one visitor. */
export function keysOfVisitor(websiteKey: number, visitorId: string, source: Source): number[] {
  const code = source.website.dictionaries.visitors.find(packId(visitorId));
  return code === 0 ? [] : keysOf(new Scan(allTime(websiteKey), source, { visitor: code }));
}

/** Counts the events of a selection, and lists their keys unless there are more than `eventsMax`. */
export function keysOfSelection(
  { eventsMax, ...selection }: Parameters<Analytics['eraseSelected']>[0],
  source: Source,
): { events: number; keys: number[] } {
  const { totals } = answerQuery({ ...selection, totals: true }, source);
  const events = totals?.events ?? 0;
  return { events, keys: events > eventsMax ? [] : keysOf(new Scan(selection, source)) };
}

function keysOf(scan: Scan): number[] {
  const keys: number[] = [];
  scan.run((vector) => {
    const key = vector.segment.column('key');
    eachHit(vector, (event) => keys.push(key[event] as number));
  });
  return keys;
}

function allTime(websiteKey: number): Selection {
  return {
    websiteKey,
    fromMs: Number.NEGATIVE_INFINITY,
    toMs: Number.POSITIVE_INFINITY,
    traffic: 'all',
  };
}

function momentsOf(scan: Scan): EventPosition[] {
  const moments: EventPosition[] = [];
  scan.run((vector) => eachHit(vector, (event) => moments.push(momentOf(vector.segment, event))));
  return moments;
}

function momentOf(segment: Segment, event: number): EventPosition {
  return {
    atMs: segment.dayMs + (segment.column('atMs')[event] as number),
    key: segment.column('key')[event] as number,
  };
}

function inOrder(moments: EventPosition[]): number[] {
  return moments.sort(compareMoments).map(({ key }) => key);
}

/** Reads the ids from each group's first event; empty when that event is gone from the log. */
async function idsOf(groups: readonly Group[], { readKeys }: Source): Promise<Ids[]> {
  const events = await readKeys(groups.map(({ first }) => first.key));
  const byKey = new Map(events.map((event) => [event.key, event]));
  return groups.map(({ first }) => {
    const event = byKey.get(first.key);
    return {
      sessionId: event ? unpackId(event.sessionId) : '',
      visitorId: event ? unpackId(event.visitorId) : '',
    };
  });
}

function toSession(
  { first, last, firstView, lastView, pageviews, events }: Group,
  source: Source,
): Omit<Session, keyof Ids> & Ids {
  return {
    sessionId: '',
    visitorId: '',
    firstAtMs: first.atMs,
    lastAtMs: last.atMs,
    duration: (last.atMs - first.atMs) / 1_000,
    pageviews,
    events,
    entryPage: pageText(firstView?.page ?? 0, source),
    exitPage: pageText(lastView?.page ?? 0, source),
    ...originOf(first, source),
    ...clientOf(first, source),
  };
}

function toVisitor({ first, last, visits, pageviews, events }: Group, source: Source): Visitor {
  return {
    visitorId: '',
    firstAtMs: first.atMs,
    lastAtMs: last.atMs,
    visits,
    pageviews,
    events,
    ...clientOf(last, source),
  };
}

/** Converts a visit to its facts. */
export function toVisit(place: VisitPlace, source: Source): Visit {
  const { segment, visit } = place;
  return source.pool.use(segment, () => {
    const startMs = segment.dayMs + (segment.column('startMs')[visit] as number);
    const page = (column: 'entryPage' | 'exitPage') =>
      pageText(segment.codes('page')[segment.codeColumn(column)[visit] as number] as number, source);
    const first = segment.column('first');
    return {
      startMs,
      endMs: startMs + (segment.column('durationMs')[visit] as number),
      pageviews: segment.column('pageviews')[visit] as number,
      events: (first[visit + 1] as number) - (first[visit] as number),
      entryPage: page('entryPage'),
      exitPage: page('exitPage'),
      ...originOf(place, source),
    };
  });
}
