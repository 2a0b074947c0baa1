import type { EventPosition } from '../../../log/event.ts';
import { DAY_MS } from '../../../vocabulary/durations.ts';
import type { ListRequest, Selection } from '../../interface/selection.ts';
import { HashSet } from '../collections/hash-set.ts';
import { eachHit } from '../query/matches.ts';
import { VisitorIds } from '../query/people.ts';
import { Scan } from '../query/scan.ts';
import { segmentsIn } from '../query/segments-in.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { dayOf, PAGEVIEW } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import type { VisitPlace } from './facts.ts';

/** Matching events grouped by session or visitor; a group's id is the session's hash, or the visitor's code. */
export type Grouping = 'session' | 'visitor';

type GroupEvent = EventPosition & VisitPlace;
export type Group = {
  id: number;
  first: GroupEvent;
  last: GroupEvent;
  /** First and last pageview, with their pages. */
  firstView: (EventPosition & { page: number }) | undefined;
  lastView: (EventPosition & { page: number }) | undefined;
  visits: number;
  pageviews: number;
  events: number;
};

/**
 * Lists a page of the groups, the most recently active first. To find which groups are on the page, it scans back from the
 * end of the range in windows of one day, four days, sixteen …, until it has met enough groups: a group's last event in
 * such a window is its last of all. A pass over the whole range then collects those groups, and counts all.
 */
export function listGroups(
  by: Grouping,
  request: ListRequest,
  source: Source,
): { groups: Group[]; total: number } {
  const wanted = new Set(latestIds(by, request, source));
  const scan = new Scan(request, source);
  const people =
    by === 'visitor' ? new VisitorIds(source.arena, source.website.dictionaries.visitors.count) : undefined;
  const sessions = new HashSet(by === 'session' && !request.filter ? countVisits(scan) : 0);
  const collector = new Collector(by, (id) => wanted.has(id));
  scan.run((vector) => {
    if (people) people.assign(vector);
    else countSessions(vector, sessions, source);
    collector.add(vector);
  });
  const total = people ? people.count : sessions.size;
  sessions.free();
  return { groups: collector.finish(), total };
}

/** Approximates the number of sessions. */
function countVisits({ segments }: Scan): number {
  return segments.reduce((sum, { visitCount }) => sum + visitCount, 0);
}

/** Collects some groups in full, the most recently active first. */
export function collectGroups(by: Grouping, scan: Scan, isWanted: (id: number) => boolean): Group[] {
  const collector = new Collector(by, isWanted);
  scan.run((vector) => collector.add(vector));
  return collector.finish();
}

function countSessions(vector: SelectionVector, sessions: HashSet, { arena }: Source): void {
  const { segment } = vector;
  const hashes = segment.column('sessions');
  const session = segment.column('session');
  const isThere = arena.u8(hashes.length);
  eachHit(vector, (event) => {
    isThere[session[event] as number] = 1;
  });
  for (let local = 0; local < hashes.length; local += 1)
    if (isThere[local] === 1) sessions.add(hashes[local] as number);
}

function latestIds(by: Grouping, request: ListRequest, source: Source): number[] {
  const { fromMs, toMs, offset, limit } = request;
  if (limit === 0 || toMs <= fromMs) return [];
  const segments = segmentsIn(source.website.segments, fromMs, toMs);
  const days = [...new Set(segments.map(({ header }) => header.day))];
  const lastDay = Math.min(dayOf(toMs - 1), days.at(-1) ?? 0);
  for (let length = 1; ; length *= 4) {
    const startMs = (lastDay - length + 1) * DAY_MS;
    const isAll = startMs <= fromMs || !segments.some(({ header }) => header.startMs < startMs);
    const last = findLast(by, { ...request, fromMs: isAll ? fromMs : startMs }, source);
    if (last.size >= offset + limit || isAll)
      return [...last]
        .sort(([, a], [, b]) => compareMoments(b, a))
        .slice(offset, offset + limit)
        .map(([id]) => id);
  }
}

/** Returns the last matching event of each group. */
function findLast(by: Grouping, selection: Selection, source: Source): Map<number, Readonly<EventPosition>> {
  const last = new Map<number, EventPosition>();
  new Scan(selection, source).run((vector) => {
    const { segment } = vector;
    const atMs = segment.column('atMs');
    const key = segment.column('key');
    let moment: EventPosition | undefined;
    let lastId = -1;
    const idOf = idsIn(segment, by);
    eachHit(vector, (event, visit) => {
      const id = idOf(event, visit);
      if (id !== lastId) moment = last.get(id); // most events belong to the same group as the previous one
      lastId = id;
      const at = segment.dayMs + (atMs[event] as number);
      const own = key[event] as number;
      if (!moment) {
        moment = { atMs: at, key: own };
        last.set(id, moment);
      } else if (at > moment.atMs || (at === moment.atMs && own > moment.key)) {
        moment.atMs = at;
        moment.key = own;
      }
    });
  });
  return last;
}

/** Returns a function from an event and its visit to the group's id. */
function idsIn(segment: Segment, by: Grouping): (event: number, visit: number) => number {
  if (by === 'visitor') {
    const visitor = segment.column('visitor');
    return (_event, visit) => visitor[visit] as number;
  }
  const session = segment.column('session');
  const hashes = segment.column('sessions');
  return (event) => hashes[session[event] as number] as number;
}

class Collector {
  readonly #groups = new Map<number, Group>();
  readonly #lastVisits = new Map<number, VisitPlace>();

  constructor(
    readonly by: Grouping,
    readonly isWanted: (id: number) => boolean,
  ) {}

  add(vector: SelectionVector): void {
    const { segment } = vector;
    if (!this.#hasWanted(segment)) return;
    const idOf = idsIn(segment, this.by);
    eachHit(vector, (event, visit) => {
      const id = idOf(event, visit);
      if (this.isWanted(id)) this.#note(id, segment, visit, event);
    });
  }

  finish(): Group[] {
    return [...this.#groups.values()].sort((a, b) => compareMoments(b.last, a.last));
  }

  #hasWanted(segment: Segment): boolean {
    const ids = this.by === 'session' ? segment.column('sessions') : segment.column('visitor');
    return ids.some((id) => this.isWanted(id));
  }

  #note(id: number, segment: Segment, visit: number, event: number): void {
    const atMs = segment.dayMs + (segment.column('atMs')[event] as number);
    const moment = { atMs, key: segment.column('key')[event] as number, segment, visit };
    const isView = segment.column('eventType')[event] === PAGEVIEW;
    const page = segment.codes('page')[segment.codeColumn('page')[event] as number] as number;
    const view = isView ? { atMs, key: moment.key, page } : undefined;
    const group = this.#groups.get(id) ?? startGroup(id, moment);
    this.#groups.set(id, group);
    if (compareMoments(moment, group.first) < 0) group.first = moment;
    if (compareMoments(moment, group.last) > 0) group.last = moment;
    if (view && (!group.firstView || compareMoments(view, group.firstView) < 0)) group.firstView = view;
    if (view && (!group.lastView || compareMoments(view, group.lastView) > 0)) group.lastView = view;
    group.events += 1;
    if (isView) group.pageviews += 1;
    const lastVisit = this.#lastVisits.get(id);
    if (lastVisit?.segment === segment && lastVisit.visit === visit) return;
    this.#lastVisits.set(id, moment);
    group.visits += 1;
  }
}

function startGroup(id: number, event: GroupEvent): Group {
  return {
    id,
    first: event,
    last: event,
    firstView: undefined,
    lastView: undefined,
    visits: 0,
    pageviews: 0,
    events: 0,
  };
}

/** Compares in order of time; at the same instant, in order of the log. */
export function compareMoments(a: EventPosition, b: EventPosition): number {
  return a.atMs - b.atMs || a.key - b.key;
}
