import type { EventPosition } from '../../../log/event.ts';
import type { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import type { VisitPlace } from './facts.ts';

/** Events grouped by session or visitor; a group's id is the session's hash, or the visitor's code. */
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

/** Collects some groups in full, the most recently active first. */
export function collectGroups(by: Grouping, scan: Scan, isWanted: (id: number) => boolean): Group[] {
  const collector = new GroupCollector(by, isWanted);
  scan.run((vector) => collector.add(vector));
  return [...collector.groups().values()].sort((a, b) => compareMoments(b.last, a.last));
}

/** Collects groups whole: all events of the visits that a scan finds. */
export class GroupCollector {
  readonly #groups = new Map<number, Group>();
  readonly #lastVisits = new Map<number, VisitPlace>();

  constructor(
    readonly by: Grouping,
    readonly isWanted: (id: number) => boolean,
  ) {}

  add({ segment, count, visits }: SelectionVector): void {
    if (!hasWanted(segment, this.by, this.isWanted)) return;
    const idOf = idsIn(segment, this.by);
    const first = segment.column('first');
    for (const visit of visits.subarray(0, count)) {
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1) {
        const id = idOf(event, visit);
        if (this.isWanted(id)) this.#note(id, segment, visit, event);
      }
    }
  }

  groups(): ReadonlyMap<number, Group> {
    return this.#groups;
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

/** Returns whether a segment has events of a wanted group. */
export function hasWanted(segment: Segment, by: Grouping, isWanted: (id: number) => boolean): boolean {
  const ids = by === 'session' ? segment.column('sessions') : segment.column('visitor');
  return ids.some((id) => isWanted(id));
}

/** Returns a function from an event and its visit to the group's id. */
export function idsIn(segment: Segment, by: Grouping): (event: number, visit: number) => number {
  if (by === 'visitor') {
    const visitor = segment.column('visitor');
    return (_event, visit) => visitor[visit] as number;
  }
  const session = segment.column('session');
  const hashes = segment.column('sessions');
  return (event) => hashes[session[event] as number] as number;
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
