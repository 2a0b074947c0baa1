import type { ListedVisit } from '../../contract/metrics/visits.ts';
import { formatMoney } from '../state/format.ts';

type Props = {
  visit: Pick<ListedVisit, 'goals' | 'revenue'>;
  /** Goals that are not new; all of them by default. */
  known?: readonly string[];
};

/** Goals that a visit reached, and its revenue. */
export function VisitResult({ visit: { goals, revenue }, known = goals }: Props) {
  return (
    <span class="visit-result">
      {goals.map((goal) => (
        <bdi key={goal} class={known.includes(goal) ? 'visit-goal' : 'visit-goal new'} title={goal}>
          {goal}
        </bdi>
      ))}
      {revenue.map(({ currency, total }) => (
        <strong key={currency} class="number amount">
          {formatMoney({ amount: total, currency })}
        </strong>
      ))}
    </span>
  );
}
