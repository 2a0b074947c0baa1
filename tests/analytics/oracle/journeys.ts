import type { JourneyBranch, JourneysAnswer, JourneysRequest } from '../../../src/analytics/analytics.ts';
import { compareTexts } from './breakdown.ts';
import type { NaiveLog } from './log.ts';
import { type Match, passes, select } from './selection.ts';

type Stop = Pick<JourneyBranch, 'stop' | 'value'>;

export function walkJourneys(log: NaiveLog, request: JourneysRequest): JourneysAnswer {
  const ofVisits = Map.groupBy(select(log, request), ({ visit }) => visit);
  const journeys = [...ofVisits.values()].flatMap((matches) => {
    const journey = followVisit(matches, request);
    return journey ? [journey] : [];
  });
  return { visits: journeys.length, branches: branch(journeys, journeys.length) };
}

/** @param matches of one visit, in order @returns undefined when none of them meets the condition */
function followVisit(matches: readonly Match[], { direction, anchor }: JourneysRequest): Stop[] | undefined {
  const at = anchor ? matches.findIndex((match) => passes(match, anchor)) : -1;
  const anchored = matches[at];
  if (anchor && !anchored) return undefined;
  const isFrom = direction === 'from';
  const rest = anchored ? (isFrom ? matches.slice(at + 1) : matches.slice(0, at)) : matches;
  const stops = (isFrom ? rest : rest.toReversed()).flatMap((match) => toStop(match) ?? []);
  let last = anchored && toStop(anchored);
  const journey: Stop[] = [];
  for (const stop of stops) {
    if (last?.stop === stop.stop && last.value === stop.value) continue;
    journey.push(stop);
    last = stop;
  }
  return journey.slice(0, 5);
}

function toStop({ event, page, name }: Match): Stop | undefined {
  if (event.eventType === 'pageview') return { stop: 'page', value: page || null };
  return name === '' ? undefined : { stop: 'event', value: name };
}

/** @param total all journeys */
function branch(journeys: readonly Stop[][], total: number): JourneyBranch[] {
  const groups = Map.groupBy(
    journeys.filter((journey) => journey.length > 0),
    ([next]) => JSON.stringify(next),
  );
  const isSmall = (own: readonly Stop[][]) => own.length * 1_000 < total;
  const branches = [...groups.values()]
    .filter((own) => !isSmall(own))
    .map((own): JourneyBranch => {
      const { stop, value } = own[0]?.[0] ?? { stop: 'other', value: null };
      const rest = own.map((journey) => journey.slice(1));
      return { stop, value, visits: own.length, branches: branch(rest, total) };
    })
    .sort((a, b) => b.visits - a.visits || compareTexts(a.value, b.value) || compareTexts(b.stop, a.stop));
  const others = [...groups.values()].filter(isSmall).reduce((sum, own) => sum + own.length, 0);
  return others === 0
    ? branches
    : [...branches, { stop: 'other', value: null, visits: others, branches: [] }];
}
