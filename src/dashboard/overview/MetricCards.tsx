import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import type { Metric } from '../../vocabulary/analytics.ts';
import { ChangeMark } from '../charts/ChangeText.tsx';
import { METRIC_FORMATS } from '../state/metric-formats.ts';

/** The figures of the range, in the order of the cards. */
const CARD_METRICS = [
  'visitors',
  'visits',
  'pageviews',
  'viewsPerVisit',
  'bounceRate',
  'visitDuration',
] as const satisfies Metric[];

type Props = {
  answer: Dashboard | undefined;
  metric: Metric;
  onChoose: (metric: Metric) => void;
};

/** A card for each metric; the pressed one is charted. */
export function MetricCards({ answer, metric, onChoose }: Props) {
  return (
    <fieldset class="metrics">
      <legend class="unseen">Chart metric</legend>
      {CARD_METRICS.map((name) => {
        const { name: title, short, long, isOfVisits } = METRIC_FORMATS[name];
        const totals = answer?.totals;
        const isThere = totals && !(isOfVisits && totals.visits === 0);
        return (
          <button
            key={name}
            type="button"
            class="metric"
            aria-pressed={name === metric}
            onClick={() => onChoose(name)}
          >
            <span class="metric-name">{title}</span>
            <span class="metric-value number" title={isThere ? long(totals[name]) : undefined}>
              {totals ? (isThere ? short(totals[name]) : '–') : '\u00a0'}
            </span>
            <span class="metric-change number">
              {answer?.comparison && isThere && !(isOfVisits && answer.comparison.visits === 0) && (
                <ChangeMark
                  percent={answer.comparison.change[name]}
                  now={answer.totals[name]}
                  metric={name}
                  people={Math.max(answer.totals.visitors, answer.comparison.visitors)}
                />
              )}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}
