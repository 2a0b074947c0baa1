import type { CountedGoal } from '../../goals/service.ts';
import type { Parameters } from '../../http/parameters.ts';
import { DIMENSION_LENGTH_MAX } from './breakdown-parameters.ts';
import { quote } from './dimensions.ts';
import { findGoal } from './goals.ts';
import type { Known } from './segments.ts';
import type { Member } from './website-set.ts';

type Goals = { goals: readonly CountedGoal[]; website?: { primaryGoalId?: string | null } };

/** Reads the goal whose conversions are added to the other figures. `primary` is the one of the website, if it has one. */
export function readGoal(parameters: Parameters, { goals, website }: Goals): CountedGoal | undefined {
  const text = parameters.text('goal', GOAL_TEXT_LENGTH_MAX);
  if (text === undefined) return undefined;
  const goal = findGoal(goals, text);
  if (!goal && text === 'primary')
    return goals.find((one) => one.goal.id === website?.primaryGoalId && !one.goal.isArchived);
  if (!goal) parameters.fault('goal', `Unknown goal ${quote(text)}`);
  return goal;
}

/** Returns the goal that a query is about. */
export function requireGoal(
  parameters: Parameters,
  known: { goals: readonly CountedGoal[] },
): CountedGoal | undefined {
  const isGiven = parameters.text('goal', GOAL_TEXT_LENGTH_MAX) !== undefined;
  if (!isGiven) parameters.fault('goal', 'Required');
  return isGiven ? readGoal(parameters, known) : undefined;
}

const GOAL_TEXT_LENGTH_MAX = 100;

/** Returns the goals of a goal breakdown, without archived ones. Undefined for other dimensions. */
export function readGoalDimension(
  parameters: Parameters,
  { goals }: { goals: readonly CountedGoal[] },
): CountedGoal[] | undefined {
  const isGoal = parameters.text('dimension', DIMENSION_LENGTH_MAX) === 'goal';
  return isGoal ? goals.filter(({ goal }) => !goal.isArchived) : undefined;
}

/** Returns the websites of a breakdown by website. Undefined for other dimensions, and for one website. */
export function readWebsiteDimension(
  parameters: Parameters,
  { members }: Pick<Known, 'members'>,
): readonly Member[] | undefined {
  return parameters.text('dimension', DIMENSION_LENGTH_MAX) === 'website' ? members : undefined;
}
