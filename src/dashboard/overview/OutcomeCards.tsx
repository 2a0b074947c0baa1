import type { Totals } from '../../contract/metrics/stats.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { ChangeText } from '../charts/ChangeText.tsx';
import { Amounts } from '../revenue/Amounts.tsx';
import { toComparisonQuestion } from '../state/comparison.ts';
import { changeOf, formatChange } from '../state/format.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';

type Props = { place: Place; view: ViewState };

/** Revenue of the goal that a filter names, and the average of a conversion: for the owner. */
export function OutcomeCards({ place, view }: Props) {
  const { answer, fault } = useReport<Totals>(place, '/stats', {
    ...toQuestion(view),
    ...toComparisonQuestion(view),
    revenue: 'true',
  });
  const revenue = answer?.revenue?.toSorted((a, b) => b.events - a.events) ?? [];
  const [most, ...others] = revenue;
  const before = answer?.comparison?.revenue?.find(({ currency }) => currency === most?.currency);
  return (
    <>
      {(['total', 'average'] as const).map((part) => (
        <div class="metric" key={part}>
          <span class="metric-name">{part === 'total' ? 'Revenue' : 'Average value'}</span>
          <span class="metric-value number">
            {!answer && !fault ? (
              '\u00a0'
            ) : most ? (
              <Amounts list={[{ currency: most.currency, amount: most[part] }]} />
            ) : (
              '–'
            )}
          </span>
          <span class="metric-change number">
            {most && before && Number(before[part]) > 0 ? (
              <ChangeText
                change={formatChange(
                  changeOf(Number(most[part]), Number(before[part])),
                  Number(most[part]),
                  Math.max(most.events, before.events),
                )}
                isBetterLow={false}
              />
            ) : (
              others.length > 0 && (
                <span class="quiet-text">
                  and{' '}
                  <Amounts
                    list={others.slice(0, 2).map((one) => ({ currency: one.currency, amount: one[part] }))}
                  />
                </span>
              )
            )}
          </span>
        </div>
      ))}
    </>
  );
}
