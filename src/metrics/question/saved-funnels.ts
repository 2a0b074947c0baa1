import type { FunnelParts, JudgedFunnel } from '../../saved/funnels.ts';
import { FUNNEL_STEPS_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { requireUtc } from '../time/zone.ts';
import { parseSteps, parseWindow, WINDOW_FORM } from './funnel.ts';
import { bindGoals } from './goals.ts';
import type { Known } from './segments.ts';

/**
 * Returns the faults of a funnel, by field.
 *
 * @param isSaved skips compiling the patterns, which were checked when the funnel was saved
 */
export function judgeFunnel(
  { steps, window }: FunnelParts,
  known: Known,
  { isSaved }: { isSaved: boolean },
): JudgedFunnel {
  const { faults } = parseSteps(steps, known, requireUtc(), isSaved);
  const bound = bindGoals(steps, known.goals);
  const isLong = JSON.stringify(bound).length > FUNNEL_STEPS_LENGTH_MAX;
  const isWindow = window === null || parseWindow(window) !== undefined;
  return {
    faults: {
      ...(isLong && { steps: [`Must be at most ${FUNNEL_STEPS_LENGTH_MAX} characters`] }),
      ...(faults.length > 0 && { steps: faults }),
      ...(!isWindow && { window: [WINDOW_FORM] }),
    },
    steps: bound,
  };
}
