import type { Filter } from '../../analytics/interface/selection.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { quote } from './dimensions.ts';

type Found = { filter: Filter } | { part: number; sentence: string };

/** Finds goals by name or id. */
export function findGoals(
  goals: readonly CountedGoal[],
  operator: unknown,
  values: readonly string[],
): Found {
  if (operator !== 'is' && operator !== 'is_not')
    return { part: 0, sentence: 'goal can be asked with is and is_not' };
  const found = new Set<Filter>();
  for (const value of values) {
    const goal = findGoal(goals, value);
    if (!goal) return { part: 2, sentence: `Unknown goal ${quote(value)}: it may have been deleted` };
    found.add(goal.condition);
  }
  const filter: Filter = { op: 'or', filters: [...found] };
  return { filter: operator === 'is' ? filter : { op: 'not', filter } };
}

export function findGoal(goals: readonly CountedGoal[], text: string): CountedGoal | undefined {
  let index = indexes.get(goals);
  if (!index) {
    const byName = goals.map((one) => [one.goal.name, one] as const);
    const byId = goals.map((one) => [one.goal.id, one] as const);
    index = new Map([...byName, ...byId]); // an id wins over a name
    indexes.set(goals, index);
  }
  return index.get(text);
}

/** Indexes, because a list of segments looks up goals thousands of times. */
const indexes = new WeakMap<readonly CountedGoal[], Map<string, CountedGoal>>();

/**
 * Converts filters to their stored form: goals by id instead of by name, which may change. Also accepts one filter, or
 * steps.
 */
export function bindGoals(filters: readonly unknown[], goals: readonly CountedGoal[]): unknown[] {
  const [operator, target, given, ...more] = filters;
  if (typeof target !== 'string')
    return filters.map((part) => (Array.isArray(part) ? bindGoals(part, goals) : part));
  if (target !== 'goal' || given === undefined) return [...filters]; // other dimensions have values
  const values = Array.isArray(given) ? given : [given];
  return [operator, target, values.map((value) => findGoal(goals, String(value))?.goal.id ?? value), ...more];
}
