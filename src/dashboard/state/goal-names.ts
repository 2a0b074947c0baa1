import type { Goal } from '../../contract/goal.ts';

export const withoutArchived = (goals: readonly Goal[]) => goals.filter(({ isArchived }) => !isArchived);

/** Name of the goal that a filter or a step refers to by id or name; the reference itself when there is none. */
export function nameOfGoal(reference: string, goals: readonly Goal[] = []): string {
  const goal = goals.find(({ id }) => id === reference) ?? goals.find(({ name }) => name === reference);
  if (!goal) return reference;
  return goal.isArchived ? `${goal.name} (archived)` : goal.name;
}
