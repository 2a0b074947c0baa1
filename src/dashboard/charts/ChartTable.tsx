import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SeriesAnnotation } from '../../contract/annotation.ts';
import type { Point } from '../../contract/metrics/figures.ts';
import type { Interval } from '../../vocabulary/contract.ts';
import { METRIC_FORMATS, type ShownMetric } from '../state/metric-formats.ts';
import { ChangeText } from './ChangeText.tsx';
import { toNotes } from './notes.ts';
import { readPoint, type Series } from './reading.ts';
import { toValues, type Values } from './series.ts';

type Props = {
  caption: string;
  points: readonly Point[];
  comparison?: readonly Point[] | undefined;
  /** Time at which the last of those was cut: `10:20`. */
  comparedUntil?: string | undefined;
  /** Imported sums, in the same order. */
  imported?: Values | undefined;
  metric: ShownMetric;
  interval: Interval;
  nowMs: number;
  /** Annotations of the points. */
  annotations?: readonly SeriesAnnotation[] | undefined;
};

/** Rows drawn at a time: a day of minutes at once would block the page. */
const CHUNK_ROWS = 120;

/** The data of TimeChart as a table. Future points have no row. */
export function ChartTable({
  caption,
  points,
  comparison,
  comparedUntil,
  imported,
  metric,
  interval,
  nowMs,
  annotations,
}: Props) {
  const { name } = METRIC_FORMATS[metric];
  const series = useMemo((): Series => {
    const past = points.filter(({ time }) => Date.parse(time) <= nowMs);
    return {
      points: past,
      values: toValues(past, metric, nowMs),
      earlierPoints: comparison ?? [],
      earlierValues: toValues(comparison ?? [], metric, nowMs),
      earlierUntil: comparedUntil,
      importedValues: imported,
      metric,
      interval,
      notes: toNotes(past, annotations),
    };
  }, [points, comparison, comparedUntil, imported, metric, interval, nowMs, annotations]);
  const chunks = Math.ceil(series.points.length / CHUNK_ROWS);
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn >= chunks) return;
    const timer = setTimeout(() => setDrawn(drawn + 1));
    return () => clearTimeout(timer);
  }, [drawn, chunks]);
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
        {Array.from({ length: Math.min(drawn, chunks) }, (_, index) => (
          <Rows key={index} series={series} from={index * CHUNK_ROWS} isCompared={comparison !== undefined} />
        ))}
      </table>
    </section>
  );
}

type RowsProps = { series: Series; from: number; isCompared: boolean };

function Rows({ series, from, isCompared }: RowsProps) {
  return useMemo(
    () => (
      <tbody>
        {series.points.slice(from, from + CHUNK_ROWS).map((point, index) => (
          <Row key={point.time} series={series} index={from + index} isCompared={isCompared} />
        ))}
      </tbody>
    ),
    [series, from, isCompared],
  );
}

function Row({ series, index, isCompared }: { series: Series; index: number; isCompared: boolean }) {
  const reading = readPoint(series, index);
  const change = reading?.earlier?.change;
  const { isBetterLow } = METRIC_FORMATS[series.metric];
  return (
    <tr>
      <th scope="row">
        {reading?.time}
        {reading?.isIncomplete && <small>not complete</small>}
        {reading?.notes?.map((note, at) => (
          <small key={at} class="chart-remark">
            <bdi>{note}</bdi>
          </small>
        ))}
      </th>
      <td>
        {reading?.value}
        {reading?.imported && <small>{reading.imported} imported</small>}
      </td>
      {isCompared && (
        <td>
          {reading?.earlier?.value ?? '–'}
          <small>{reading?.earlier?.time}</small>
        </td>
      )}
      {isCompared && <td>{change ? <ChangeText change={change} isBetterLow={isBetterLow} /> : '–'}</td>}
    </tr>
  );
}
