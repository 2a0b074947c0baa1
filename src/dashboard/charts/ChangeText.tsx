import { type Change, formatChange } from '../state/format.ts';
import { METRIC_FORMATS, type ShownMetric } from '../state/metric-formats.ts';

/** A change with its direction as sign and arrow, and its judgement as colour: grey when it is negligible. */
export function ChangeText({ change, isBetterLow }: { change: Change; isBetterLow: boolean }) {
  const { direction, text } = change;
  const isWorse = direction === (isBetterLow ? 'up' : 'down');
  const judged = direction === 'same' ? '' : isWorse ? 'change-worse' : 'change-better';
  return <span class={`change change-${direction} ${judged}`}>{text}</span>;
}

type ChangeMarkProps = {
  percent: number | null;
  now: number;
  metric: ShownMetric;
  /** Visitors now or before, whichever is more. */
  people: number;
};

/** `+12%`, coloured as better or worse. */
export function ChangeMark({ percent, now, metric, people }: ChangeMarkProps) {
  const change = formatChange(percent, now, people);
  return <ChangeText change={change} isBetterLow={METRIC_FORMATS[metric].isBetterLow} />;
}
