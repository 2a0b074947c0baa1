import { FUNNEL_STEPS_LENGTH_MAX } from '../../contract/vocabulary.ts';
import type { CountedGoal } from '../../goals/service.ts';
import type { FunnelParts, JudgedFunnel } from '../../saved/funnels.ts';
import { requireUtc } from '../time/zone.ts';
import { parseSteps, parseWindow, WINDOW_FORM } from './funnel.ts';
import { findGoal } from './goals.ts';
import type { Known } from './segments.ts';

/** What is wrong with a funnel that is saved, by its field. */
export function judgeFunnel({ steps, window }: FunnelParts, known: Known): JudgedFunnel {
  const { faults } = parseSteps(steps, known, requireUtc());
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

/** Goals by their ids in place of their names, which may change. */
function bindGoals(steps: readonly unknown[], goals: readonly CountedGoal[]): unknown[] {
  return steps.map((part) => {
    if (!Array.isArray(part)) return part;
    const [operator, dimension, values] = part;
    if (dimension !== 'goal' || !Array.isArray(values)) return bindGoals(part, goals);
    const ids = values.map((value) => findGoal(goals, String(value))?.goal.id ?? value);
    return [operator, dimension, ids];
  });
}
