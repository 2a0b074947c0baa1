import type { Analytics, JourneyBranch } from '../../analytics/analytics.ts';
import type { Journeys } from '../../contract/metrics-journeys.ts';
import { JOURNEY_STEPS } from '../../vocabulary/analytics.ts';
import type { AskedJourneys } from '../question/journeys.ts';
import { toRange } from './wire.ts';

export async function answerJourneys(
  analytics: Analytics,
  { asked, request }: AskedJourneys,
): Promise<Journeys> {
  const answer = await analytics.journeys(request);
  const branches: Journeys['branches'] = [];
  const list = (of: readonly JourneyBranch[], step: number, parent: number | null): void => {
    for (const { stop, value, visits, branches: own } of of) {
      const goesOn = stop !== 'other' && step < JOURNEY_STEPS;
      const index = branches.push({
        step,
        parent,
        stop,
        value,
        visits,
        rate: visits / answer.visits,
        ended: goesOn ? visits - sumOf(own) : null,
      });
      list(own, step + 1, index - 1);
    }
  };
  list(answer.branches, 1, null);
  return {
    range: toRange(asked.range),
    direction: request.direction,
    visits: answer.visits,
    ended: answer.visits - sumOf(answer.branches),
    branches,
  };
}

function sumOf(branches: readonly JourneyBranch[]): number {
  return branches.reduce((sum, { visits }) => sum + visits, 0);
}
