import { unpackId } from '../../../db/packed-id.ts';
import type { EventPosition } from '../../../log/event.ts';
import { sumAmounts } from '../../derive/revenue.ts';
import type { List } from '../../interface/selection.ts';
import type { ListedVisit, VisitsRequest } from '../../interface/visits.ts';
import { eachHit } from '../query/matches.ts';
import { Scan } from '../query/scan.ts';
import type { Source } from '../query/source.ts';
import type { Segment } from '../segment/segment.ts';
import { clientOf, type VisitPlace } from './facts.ts';
import { compareMoments } from './group-collector.ts';
import { toPathEvent } from './log-events.ts';
import { toVisit } from './people.ts';

type Found = VisitPlace & { last: EventPosition };

/** Visits that are kept in addition to the page before they are sorted and cut. */
const KEPT_MORE = 10_000;

export async function listVisits(
  { limit, offset, pageviewsMin = 0, stepsMax, conditions, ...selection }: VisitsRequest,
  source: Source,
): Promise<List<ListedVisit>> {
  const { found, total } = findVisits(selection, source, { count: offset + limit, pageviewsMin });
  const page = found.slice(offset);
  const met = findMet(page, selection, conditions, source);
  const keys = page.map((place) => keysOf(place, stepsMax, source));
  const events = await source.readKeys(keys.flat());
  const byKey = new Map(events.map((event) => [event.key, event]));
  const rows = page.map((place, index): ListedVisit => {
    const own = (keys[index] ?? []).flatMap((key) => byKey.get(key) ?? []);
    const [first] = own;
    const steps = own.map(toPathEvent);
    return {
      visitorId: first ? unpackId(first.visitorId) : '',
      sessionId: first ? unpackId(first.sessionId) : '',
      ...toVisit(place, source),
      ...clientOf(place, source),
      steps,
      revenue: sumAmounts(steps.map(({ properties }) => properties)),
      met: met[index] ?? [],
    };
  });
  return { rows, total };
}

type Wanted = { count: number; pageviewsMin: number };

/** Finds the latest active visits, and counts all. */
function findVisits(
  selection: ConstructorParameters<typeof Scan>[0],
  source: Source,
  { count, pageviewsMin }: Wanted,
): { found: Found[]; total: number } {
  let found: Found[] = [];
  let total = 0;
  const cut = () => {
    found = found.sort((a, b) => compareMoments(b.last, a.last)).slice(0, count);
  };
  new Scan(selection, source).run((vector) => {
    const { segment } = vector;
    const pageviews = segment.column('pageviews');
    let before = -1;
    eachHit(vector, (_, visit) => {
      if (visit === before) return;
      before = visit;
      if ((pageviews[visit] as number) < pageviewsMin) return;
      total += 1;
      found.push({ segment, visit, last: lastOf(segment, visit) });
      if (found.length > count + KEPT_MORE) cut();
    });
  });
  cut();
  return { found, total };
}

function lastOf(segment: Segment, visit: number): EventPosition {
  const event = (segment.column('first')[visit + 1] as number) - 1;
  return {
    atMs: segment.dayMs + (segment.column('atMs')[event] as number),
    key: segment.column('key')[event] as number,
  };
}

/** Returns the conditions that each visit meets. A condition is looked for in all events of the page's segments. */
function findMet(
  page: readonly Found[],
  { websiteKey, traffic }: ConstructorParameters<typeof Scan>[0],
  conditions: VisitsRequest['conditions'],
  source: Source,
): number[][] {
  const met = page.map((): number[] => []);
  if (page.length === 0) return met;
  const indexOf = new Map<Segment, Map<number, number>>();
  page.forEach(({ segment, visit }, index) => {
    const own = indexOf.get(segment) ?? new Map<number, number>();
    indexOf.set(segment, own.set(visit, index));
  });
  const segments = [...indexOf.keys()];
  // A visit begins on the day of its segment.
  const fromMs = Math.min(...segments.map(({ dayMs }) => dayMs));
  const toMs = Math.max(...page.map(({ last }) => last.atMs)) + 1;
  conditions.forEach((filter, condition) => {
    new Scan({ websiteKey, fromMs, toMs, filter, ...(traffic && { traffic }) }, source).run((vector) => {
      const own = indexOf.get(vector.segment);
      if (!own) return;
      eachHit(vector, (_, visit) => {
        const index = own.get(visit);
        if (index !== undefined && met[index]?.at(-1) !== condition) met[index]?.push(condition);
      });
    });
  });
  return met;
}

function keysOf({ segment, visit }: VisitPlace, stepsMax: number, { pool }: Source): number[] {
  return pool.use(segment, () => {
    const first = segment.column('first');
    const start = first[visit] as number;
    const end = Math.min(first[visit + 1] as number, start + stepsMax);
    return [...segment.column('key').subarray(start, end)];
  });
}
