import type { FunnelAnswer, FunnelRequest } from '../../../src/analytics/analytics.ts';
import { compareTexts } from './breakdown.ts';
import type { NaiveLog } from './log.ts';
import { dimensionOf, type Match, passes, select } from './selection.ts';

type Result = { entry: Match; depth: number; nextPage: string | null };

/** Every attempt of every visit or visitor, tried one by one. */
export function walkFunnel(log: NaiveLog, request: FunnelRequest): FunnelAnswer {
  const { steps, by, bounds, dimension } = request;
  const units = Map.groupBy(select(log, request), ({ visit, event }) =>
    by === 'visit' ? visit : event.visitorId,
  );
  const results = [...units.values()].flatMap((matches) => follow(matches, request) ?? []);
  const count = (of: readonly Result[]) =>
    steps.map((_, step) => of.filter(({ depth }) => depth >= step).length);
  const values = dimension && Map.groupBy(results, ({ entry }) => dimensionOf(entry, dimension));
  return {
    reached: count(results),
    next: steps.slice(1).map((_, step) => topPages(results.filter(({ depth }) => depth === step))),
    ...(bounds && {
      points: bounds.slice(1).map((endMs, index) => {
        const startMs = bounds[index] ?? endMs;
        return count(
          results.filter(({ entry: { event } }) => event.createdAtMs >= startMs && event.createdAtMs < endMs),
        );
      }),
    }),
    ...(values && {
      groups: [...values]
        .map(([value, of]) => ({ value: value || null, reached: count(of) }))
        .sort((a, b) => (b.reached[0] ?? 0) - (a.reached[0] ?? 0) || compareTexts(a.value, b.value)),
    }),
  };
}

/** @param matches of one visit or visitor, in order @returns undefined when none begins */
function follow(matches: readonly Match[], request: FunnelRequest): Result | undefined {
  const { steps, windowMs = Number.POSITIVE_INFINITY, isStrict = false } = request;
  const meets = steps.map((step) => matches.map((match) => passes(match, step)));
  const entry = matches[meets[0]?.indexOf(true) ?? -1];
  if (!entry) return undefined;
  /** Attempts that have got to a step: where they began, and where they may be. */
  let attempts = matches.flatMap((_, from) => (meets[0]?.[from] ? [{ from, at: [from] }] : []));
  let reachedBy = entry;
  let depth = 0;
  for (let step = 1; step < steps.length; step += 1) {
    attempts = attempts
      .map(({ from, at }) => ({ from, at: [...new Set(at.flatMap((place) => goOn(from, place, step)))] }))
      .filter(({ at }) => at.length > 0);
    if (attempts.length === 0) break;
    depth = step;
    reachedBy = matches[attempts.reduce((least, { at }) => Math.min(least, ...at), matches.length)] ?? entry;
  }
  return { entry, depth, nextPage: nextPageAfter(reachedBy) };

  /** Where the next step may be: in any order but the strict one, the first place is as good as all others. */
  function goOn(from: number, at: number, step: number): number[] {
    const places: number[] = [];
    const endMs = (matches[from]?.event.createdAtMs ?? 0) + windowMs;
    for (const [index, { event }] of matches.entries()) {
      if (index <= at) continue;
      if (event.createdAtMs > endMs || (!isStrict && places.length > 0)) break;
      if (meets[step]?.[index]) places.push(index);
      if (isStrict && event.eventType !== 'click') break;
    }
    return places;
  }
}

function nextPageAfter({ event, visit }: Match): string | null {
  const index = visit.events.findIndex((other) => other.event.key === event.key);
  return visit.events.slice(index + 1).find((other) => other.event.eventType === 'pageview')?.page || null;
}

function topPages(results: readonly Result[]): { value: string | null; count: number }[] {
  return [...Map.groupBy(results, ({ nextPage }) => nextPage)]
    .map(([value, of]) => ({ value, count: of.length }))
    .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value))
    .slice(0, 5);
}
