import type { Goal } from '../../contract/goal.ts';
import type { Session } from '../../contract/metrics/lists.ts';
import { Amounts } from '../revenue/Amounts.tsx';
import { formatCountLong } from '../state/format.ts';
import { nameOfGoal } from '../state/goal-names.ts';
import type { Filter } from '../state/view-state.ts';
import { EVENT_WORDS } from './origin.ts';

type Props = {
  matched: NonNullable<Session['matched']>;
  /** All events of the session or visitor. */
  events: number;
  filters: readonly Filter[];
  goals: readonly Goal[] | undefined;
};

const isOfGoal = ({ dimension }: Filter) => dimension === 'goal';
export const namesGoal = (filters: readonly Filter[]) => filters.some(isOfGoal);

/** Shows which part of a session or visitor the filters selected: `Purchase × 2 · €158.00`. Empty when they selected all. */
export function MatchedMark({ matched, events, filters, goals }: Props) {
  const goal = filters.find(
    (filter) => isOfGoal(filter) && filter.operator === 'is' && filter.values.length === 1,
  );
  if (matched.events === events && !goal) return null;
  const { eventType, page, name, revenue } = matched;
  const what = goal ? nameOfGoal(goal.values[0] ?? '', goals) : (name ?? page ?? EVENT_WORDS[eventType]);
  return (
    <span class="matched" title="What the filters selected">
      <bdi>{what}</bdi>
      {matched.events > 1 && ` × ${formatCountLong(matched.events)}`}
      {revenue.length > 0 && ' · '}
      <Amounts list={revenue.map(({ currency, total }) => ({ currency, amount: total }))} />
    </span>
  );
}
