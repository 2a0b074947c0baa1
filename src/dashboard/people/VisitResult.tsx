import type { ListedVisit } from '../../contract/metrics/visits.ts';
import { formatMoney } from '../state/format.ts';

type Props = { visit: Pick<ListedVisit, 'goals' | 'revenue'> };

/** Goals that a visit reached, and its revenue. */
export function VisitResult({ visit: { goals, revenue } }: Props) {
  return (
    <span class="visit-result">
      {goals.map((goal) => (
        <bdi key={goal} class="visit-goal" title={goal}>
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
