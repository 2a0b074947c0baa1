import type { Filter } from '../../analytics/analytics.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { quote } from './dimensions.ts';

type Found = { filter: Filter } | { part: number; sentence: string };

/** A condition on goals, by their names or ids. */
export function findGoals(
  goals: readonly CountedGoal[],
  operator: unknown,
  values: readonly string[],
): Found {
  if (operator !== 'is' && operator !== 'is_not')
    return { part: 0, sentence: 'goal can be asked with is and is_not' };
  const found = values.map((value) => findGoal(goals, value));
  const unknown = values.find((_, index) => found[index] === undefined);
  if (unknown !== undefined) return { part: 2, sentence: `Unknown goal ${quote(unknown)}` };
  const filter: Filter = { op: 'or', filters: found.flatMap((one) => one?.condition ?? []) };
  return { filter: operator === 'is' ? filter : { op: 'not', filter } };
}

export function findGoal(goals: readonly CountedGoal[], text: string): CountedGoal | undefined {
  return goals.find(({ goal }) => goal.id === text) ?? goals.find(({ goal }) => goal.name === text);
}
