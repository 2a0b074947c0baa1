import type { ViewState } from './view-state.ts';

/**
 * The goal that a page gives rates of. A goal among the filters becomes it: instead of only the events that reach it,
 * the page then shows where its converters came from and what they saw.
 */
export type Outcome = {
  /** Id or name of the goal, or `primary`, which a website may not have; undefined: none. */
  goal: string | undefined;
  /** Whether a filter names the goal: lists show its converters. */
  isFilter: boolean;
  /** The view to ask about: without that filter. */
  view: ViewState;
};

export function outcomeOf(view: ViewState): Outcome {
  const isGoal = ({ dimension, operator, values }: ViewState['filters'][number]) =>
    dimension === 'goal' && operator === 'is' && values.length === 1;
  const filter = view.filters.find(isGoal);
  if (!filter) return { goal: 'primary', isFilter: false, view };
  const filters = view.filters.filter((other) => other !== filter);
  return { goal: filter.values[0], isFilter: true, view: { ...view, filters } };
}

/** Parameters of a question about figures: the goal. */
export const toGoalQuestion = ({ goal }: Outcome) => (goal === undefined ? {} : { goal });

/** Parameters of a question about lists: the goal, and its converters first when a filter names it. */
export const toGoalListQuestion = (outcome: Outcome) => ({
  ...toGoalQuestion(outcome),
  ...(outcome.isFilter && { sort: 'goalVisitors:desc' }),
});
