import { EVENT_TYPES } from '../contract/vocabulary.ts';
import { giveBack } from '../garbage.ts';
import type { ListRequest, Moment, Selection } from './analytics.ts';
import { DAY_MS, type Day, dayOf, type WideColumn } from './day.ts';
import type { Days } from './days.ts';
import { NumberSet } from './number-set.ts';
import { NumberTable } from './number-table.ts';
import { answerQuery } from './query.ts';
import { createScan } from './scan.ts';
import type { WebsiteTerms } from './website-terms.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');
/** The columns that tell of groups: whose event it is, and which one is the later of two. */
const WIDE: Record<GroupBy, readonly WideColumn[]> = { session: ['key', 'session'], visitor: ['key'] };

/** Matching events grouped by session or visitor. */
export type GroupBy = 'session' | 'visitor';

/** The numbers of the visit of an event. */
type VisitNumbers = { visitor: number; client: number; origin: number };

export type Group = {
  id: number;
  first: Moment & VisitNumbers;
  last: Moment & VisitNumbers;
  firstView: (Moment & { page: number }) | undefined;
  lastView: (Moment & { page: number }) | undefined;
  visits: number;
  pageviews: number;
  events: number;
};

type Source = { terms: WebsiteTerms; days: Days };
type SelectionRequest = Selection & { visitor?: number };

/**
 * A page of the groups, the latest active first. Which ones are on it is found by going back from the end of the range,
 * a day, four days, sixteen …, until enough have been met: a group's last event in such a stretch is its last of all.
 * One pass over the whole range then gathers what is known of those.
 */
export function listGroups(
  by: GroupBy,
  request: ListRequest,
  source: Source,
): { groups: Group[]; total: number } {
  const wanted = new Set(latestIds(by, request, source));
  const counted = by === 'session' ? createSessionCount(request, source) : undefined;
  const groups = collectGroups(by, request, source, (id) => {
    counted?.add(id);
    return wanted.has(id);
  });
  const total = counted
    ? counted.finish()
    : (answerQuery({ ...request, totals: true }, source.terms, source.days).totals?.visitors ?? 0);
  return { groups, total };
}

function latestIds(by: GroupBy, request: ListRequest, source: Source): number[] {
  const { fromMs, toMs, offset, limit } = request;
  if (limit === 0 || toMs <= fromMs) return [];
  const days = source.days.numbers(dayOf(fromMs), dayOf(toMs - 1));
  for (let length = 1; ; length *= 4) {
    const isAll = length >= days.length;
    const startMs = isAll ? fromMs : Math.max(fromMs, (days.at(-length) ?? 0) * DAY_MS);
    const { table, lastAtMs, lastKey } = findLast(by, { ...request, fromMs: startMs }, source);
    const isEnough = table.size >= offset + limit || isAll;
    const places = isEnough ? latest(lastAtMs.subarray(0, table.size), lastKey, offset + limit) : [];
    const ids = places.slice(offset).map((place) => table.keyAt(place));
    table.free();
    giveBack(lastAtMs);
    giveBack(lastKey);
    if (isEnough) return ids;
  }
}

/** The last matching event of each group, by the group's place in the table. */
function findLast(by: GroupBy, request: SelectionRequest, source: Source) {
  const table = new NumberTable();
  let lastAtMs = new Float64Array(1_024);
  let lastKey = new Float64Array(1_024);
  eachHit(by, request, source, (id, day, _visit, event) => {
    const place = table.place(id);
    if (place >= lastAtMs.length) {
      lastAtMs = doubled(lastAtMs);
      lastKey = doubled(lastKey);
    }
    const atMs = day.startMs + (day.atMs[event] as number);
    const key = day.wide.get('key')?.[event] ?? 0;
    // A place is 0 in both at first; instants before 1970 are compared with the key's 0, which no event has.
    if (lastKey[place] !== 0 && compare(atMs, key, lastAtMs[place] ?? 0, lastKey[place] ?? 0) < 0) return;
    lastAtMs[place] = atMs;
    lastKey[place] = key;
  });
  return { table, lastAtMs, lastKey };
}

/**
 * Counts different sessions in a bounded table: what is too much for it is counted in parts, a pass over the range for
 * each.
 */
function createSessionCount(request: SelectionRequest, source: Source) {
  let set = new NumberSet();
  let last = -1;

  function countPart(part: number, parts: number): number | undefined {
    set = new NumberSet();
    eachHit('session', request, source, (id) => {
      if (id % parts === part) set.add(id);
    });
    return take();
  }

  /** Undefined when there were too many. */
  function take(): number | undefined {
    const size = set.isFull ? undefined : set.size;
    set.free();
    return size;
  }

  function countInParts(parts: number): number {
    let total = 0;
    for (let part = 0; part < parts; part += 1) {
      const found = countPart(part, parts);
      if (found === undefined) return countInParts(parts * 2);
      total += found;
    }
    return total;
  }

  return {
    add(id: number): void {
      if (id === last) return; // most events are of the session of the one before
      last = id;
      set.add(id);
    },
    finish: () => take() ?? countInParts(2),
  };
}

/** All that is known of the chosen groups, the latest active first. */
export function collectGroups(
  by: GroupBy,
  request: SelectionRequest,
  source: Source,
  isWanted: (id: number) => boolean,
): Group[] {
  const groups = new Map<number, Group>();
  const lastVisit = new Map<number, number>();
  let serial = 0;
  let lastDay: Day | undefined;
  let lastSeen = -1;
  eachHit(by, request, source, (id, day, visit, event) => {
    if (day !== lastDay || visit !== lastSeen) serial += 1;
    lastDay = day;
    lastSeen = visit;
    if (!isWanted(id)) return;
    const moment = {
      atMs: day.startMs + (day.atMs[event] ?? 0),
      key: day.wide.get('key')?.[event] ?? 0,
      visitor: day.visitor[visit] ?? 0,
      client: day.client[visit] ?? 0,
      origin: day.origin[visit] ?? 0,
    };
    const isView = day.type[event] === PAGEVIEW;
    const view = isView ? { atMs: moment.atMs, key: moment.key, page: day.page[event] ?? 0 } : undefined;
    let group = groups.get(id);
    if (!group) {
      group = {
        id,
        first: moment,
        last: moment,
        firstView: view,
        lastView: view,
        visits: 0,
        pageviews: 0,
        events: 0,
      };
      groups.set(id, group);
    }
    if (isBefore(moment, group.first)) group.first = moment;
    if (isBefore(group.last, moment)) group.last = moment;
    if (view && (!group.firstView || isBefore(view, group.firstView))) group.firstView = view;
    if (view && (!group.lastView || isBefore(group.lastView, view))) group.lastView = view;
    group.events += 1;
    if (isView) group.pageviews += 1;
    if (lastVisit.get(id) !== serial) group.visits += 1;
    lastVisit.set(id, serial);
  });
  return [...groups.values()].sort((a, b) => (isBefore(a.last, b.last) ? 1 : -1));
}

/** Calls back for each matching event with the id of its group. */
export function eachHit(
  by: GroupBy,
  request: SelectionRequest,
  { terms, days }: Source,
  visitEvent: (id: number, day: Day, visit: number, event: number) => void,
): void {
  const scan = createScan({ request, terms, days, names: [], wideNames: WIDE[by] });
  scan.run((day, { count, visits, hit }) => {
    const sessions = day.wide.get('session');
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number; // within the columns
      const end = day.first[visit + 1] as number;
      for (let event = day.first[visit] as number; event < end; event += 1) {
        if (hit !== undefined && hit[event] === 0) continue;
        const id = by === 'visitor' ? (day.visitor[visit] as number) : (sessions?.[event] ?? 0);
        visitEvent(id, day, visit, event);
      }
    }
  });
}

/** The places of the greatest instants (of equal ones, the greatest keys), the greatest first. */
function latest(atMs: Float64Array, keys: Float64Array, limit: number): number[] {
  if (limit === 0 || atMs.length === 0) return [];
  const least = atMs.slice().sort()[Math.max(0, atMs.length - limit)] ?? 0;
  const places: number[] = [];
  atMs.forEach((instantMs, place) => {
    if (instantMs >= least) places.push(place);
  });
  return places
    .sort((a, b) => compare(atMs[b] ?? 0, keys[b] ?? 0, atMs[a] ?? 0, keys[a] ?? 0))
    .slice(0, limit);
}

function isBefore(a: Moment, b: Moment): boolean {
  return compare(a.atMs, a.key, b.atMs, b.key) < 0;
}
function compare(aAtMs: number, aKey: number, bAtMs: number, bKey: number): number {
  return aAtMs - bAtMs || aKey - bKey;
}
function doubled(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2);
  larger.set(column);
  giveBack(column);
  return larger;
}
