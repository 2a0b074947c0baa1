import type { ComponentChildren } from 'preact';
import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import { ChangeMark } from '../charts/ChangeText.tsx';
import { type DrawnMetric, figureIn, METRIC_FORMATS } from '../state/metric-formats.ts';

/** The figures of the range, in the order of the cards. */
const CARD_METRICS = [
  'visitors',
  'visits',
  'pageviews',
  'viewsPerVisit',
  'bounceRate',
  'visitDuration',
] as const satisfies DrawnMetric[];
const GOAL_CARDS = ['converters', 'conversions', 'conversionRate'] as const satisfies DrawnMetric[];

type Props = {
  answer: Dashboard | undefined;
  metric: DrawnMetric;
  /** Name of the goal whose rate has a card. */
  goal?: string | undefined;
  /** Cards after those of the goal that a filter names; they replace those of the visits. */
  ofGoal?: ComponentChildren;
  onChoose: (metric: DrawnMetric) => void;
};

/** Metrics that have a card. */
export function cardsOf({ goal, isFilter }: { goal: string | undefined; isFilter: boolean }): DrawnMetric[] {
  if (isFilter) return [...GOAL_CARDS];
  return goal === undefined ? [...CARD_METRICS] : [...CARD_METRICS, 'conversionRate'];
}

/** A card for each metric; the pressed one is charted. */
export function MetricCards({ answer, metric, goal, ofGoal, onChoose }: Props) {
  const cards = cardsOf({ goal, isFilter: ofGoal !== undefined });
  const others = ofGoal ? 2 : 0;
  return (
    <fieldset class="metrics" style={{ '--cards': String(cards.length + others) }}>
      <legend class="unseen">Chart metric</legend>
      {cards.map((name) => (
        <Card
          key={name}
          answer={answer}
          metric={name}
          title={name === 'conversionRate' && goal ? `${goal} rate` : METRIC_FORMATS[name].name}
          isChosen={name === metric}
          onChoose={() => onChoose(name)}
        />
      ))}
      {ofGoal}
    </fieldset>
  );
}

type CardProps = {
  answer: Dashboard | undefined;
  metric: DrawnMetric;
  title: string;
  isChosen: boolean;
  onChoose: () => void;
};

function Card({ answer, metric, title, isChosen, onChoose }: CardProps) {
  const { short, long, isOfVisits } = METRIC_FORMATS[metric];
  const totals = answer?.totals;
  const value = totals && !(isOfVisits && totals.visits === 0) ? figureIn(totals, metric) : undefined;
  const comparison = answer?.comparison;
  const percent = comparison?.change[metric];
  const isOfGoal = GOAL_CARDS.some((name) => name === metric);
  return (
    <button type="button" class="metric" aria-pressed={isChosen} onClick={onChoose}>
      <span class="metric-name" title={title}>
        {title}
      </span>
      <span class="metric-value number" title={typeof value === 'number' ? long(value) : undefined}>
        {totals ? (typeof value === 'number' ? short(value) : '–') : '\u00a0'}
      </span>
      <span class="metric-change number">
        {comparison &&
          typeof value === 'number' &&
          percent !== undefined &&
          !(isOfVisits && comparison.visits === 0) && (
            <ChangeMark
              percent={percent}
              now={value}
              metric={metric}
              people={
                isOfGoal
                  ? Math.max(totals?.converters ?? 0, comparison.converters ?? 0)
                  : Math.max(totals?.visitors ?? 0, comparison.visitors)
              }
            />
          )}
      </span>
    </button>
  );
}
