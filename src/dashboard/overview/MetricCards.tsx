import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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
  const [explained, explain] = useState<DrawnMetric>();
  const titleOf = (name: DrawnMetric) =>
    name === 'conversionRate' && goal ? `${goal} rate` : METRIC_FORMATS[name].name;
  return (
    <div class="metrics-explained" style={{ '--cards': String(cards.length + others) }}>
      <fieldset class="metrics">
        <legend class="unseen">Chart metric</legend>
        {cards.map((name) => (
          <Card
            key={name}
            answer={answer}
            metric={name}
            title={titleOf(name)}
            isChosen={name === metric}
            onChoose={() => onChoose(name)}
            onExplain={(isWanted) => explain(isWanted ? name : undefined)}
          />
        ))}
        {ofGoal}
      </fieldset>
      {explained && (
        <p
          class="metric-meaning"
          role="tooltip"
          style={{ '--at': String(Math.min(cards.indexOf(explained), cards.length + others - 2)) }}
        >
          <strong>{titleOf(explained)}</strong> {METRIC_FORMATS[explained].meaning}
        </p>
      )}
    </div>
  );
}

type CardProps = {
  answer: Dashboard | undefined;
  metric: DrawnMetric;
  title: string;
  isChosen: boolean;
  onChoose: () => void;
  /** While the pointer rests on it, or the keyboard's focus. */
  onExplain: (isWanted: boolean) => void;
};

function Card({ answer, metric, title, isChosen, onChoose, onExplain }: CardProps) {
  const { short, long, isOfVisits, meaning } = METRIC_FORMATS[metric];
  const totals = answer?.totals;
  const value = totals && !(isOfVisits && totals.visits === 0) ? figureIn(totals, metric) : undefined;
  const comparison = answer?.comparison;
  const percent = comparison?.change[metric];
  const isOfGoal = GOAL_CARDS.some((name) => name === metric);
  return (
    <button
      type="button"
      class="metric"
      aria-pressed={isChosen}
      aria-description={meaning}
      onClick={onChoose}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onExplain(true)}
      onPointerLeave={() => onExplain(false)}
      onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && onExplain(true)}
      onBlur={() => onExplain(false)}
      onKeyDown={({ key }) => key === 'Escape' && onExplain(false)}
    >
      <span class="metric-name">{title}</span>
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
