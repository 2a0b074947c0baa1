import type { EventPosition } from '../../../log/event.ts';
import { DAY_MS } from '../../../vocabulary/durations.ts';
import type { Matched } from '../../interface/people.ts';
import type { ListRequest, Selection } from '../../interface/selection.ts';
import { HashSet } from '../collections/hash-set.ts';
import { eachHit } from '../query/matches.ts';
import { VisitorIds } from '../query/people.ts';
import { Scan } from '../query/scan.ts';
import { segmentsIn } from '../query/segments-in.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { dayOf } from '../segment/schema.ts';
import { compareMoments, type Group, GroupCollector, type Grouping, idsIn } from './group-collector.ts';
import { MatchCollector } from './match-collector.ts';

/**
 * Lists a page of the groups, the one with the latest matching event first. To find which groups are on the page, it scans
 * back from the end of the range in windows of one day, four days, sixteen …, until it has met enough groups: a group's last
 * match in such a window is its last of all. A pass over the whole range then notes what of those groups matches, and counts
 * all; another one collects them whole.
 */
export function listGroups(
  by: Grouping,
  request: ListRequest,
  source: Source,
): { groups: Listed[]; total: number } {
  const order = latestIds(by, request, source);
  const wanted = new Set(order);
  const scan = new Scan(request, source);
  const people =
    by === 'visitor' ? new VisitorIds(source.arena, source.website.dictionaries.visitors.count) : undefined;
  const sessions = new HashSet(by === 'session' && !request.filter ? countVisits(scan) : 0);
  const matches = request.filter && new MatchCollector(by, wanted, source);
  const whole = new GroupCollector(by, (id) => wanted.has(id));
  scan.run((vector) => {
    if (people) people.assign(vector);
    else countSessions(vector, sessions, source);
    if (matches) matches.add(vector);
    else whole.add(vector);
  });
  if (matches) {
    const { filter: _, ...all } = request;
    new Scan(all, source).run((vector) => whole.add(vector));
  }
  const total = people ? people.count : sessions.size;
  sessions.free();
  const groups = whole.groups();
  return {
    groups: order.flatMap((id) => {
      const group = groups.get(id);
      return group ? [{ ...group, matched: matches?.matchedOf(id) }] : [];
    }),
    total,
  };
}

export type Listed = Group & { matched: Matched | undefined };

/** Approximates the number of sessions. */
function countVisits({ segments }: Scan): number {
  return segments.reduce((sum, { visitCount }) => sum + visitCount, 0);
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
