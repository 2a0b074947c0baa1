import type { Metric } from '../../analytics/vocabulary.ts';
import type { Point } from '../../contract/metrics.ts';
import type { Interval } from '../../contract/vocabulary.ts';
import type { Locale } from '../format.ts';
import { METRIC_FORMATS } from '../metric-formats.ts';
import { ChangeText } from './ChangeText.tsx';
import { readPoint } from './reading.ts';
import { toValues } from './series.ts';

export type ChartTableProps = {
  caption: string;
  points: readonly Point[];
  comparison?: readonly Point[] | undefined;
  /** Where the last of those was cut, in words: `10:20`. */
  comparedUntil?: string | undefined;
  metric: Metric;
  interval: Interval;
  nowMs: number;
  locale?: Locale;
};

/** What TimeChart shows, as a table. Points of the future have no row. */
export function ChartTable({
  caption,
  points,
  comparison,
  comparedUntil,
  metric,
  interval,
  nowMs,
  locale,
}: ChartTableProps) {
  const { name, isBetterLow } = METRIC_FORMATS[metric];
  const past = points.filter(({ time }) => Date.parse(time) <= nowMs);
  const series = {
    points: past,
    values: toValues(past, metric, nowMs),
    earlierPoints: comparison ?? [],
    earlierValues: toValues(comparison ?? [], metric, nowMs),
    earlierUntil: comparedUntil,
    metric,
    interval,
    locale,
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="chart-table" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">{name}</th>
            {comparison && <th scope="col">Earlier</th>}
            {comparison && <th scope="col">Change</th>}
          </tr>
        </thead>
        <tbody>
          {past.map((point, index) => {
            const reading = readPoint(series, index);
            const change = reading?.earlier?.change;
            return (
              <tr key={point.time}>
                <th scope="row">
                  {reading?.time}
                  {reading?.isIncomplete && <small>not complete</small>}
                </th>
                <td>{reading?.value}</td>
                {comparison && (
                  <td>
                    {reading?.earlier?.value ?? '–'}
                    <small>{reading?.earlier?.time}</small>
                  </td>
                )}
                {comparison && (
                  <td>{change ? <ChangeText change={change} isBetterLow={isBetterLow} /> : '–'}</td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
