import { useMemo, useRef } from 'preact/hooks';
import type { SeriesAnnotation } from '../../contract/annotation.ts';
import type { Point } from '../../contract/metrics/figures.ts';
import type { Interval } from '../../vocabulary/contract.ts';
import type { ShownMetric } from '../state/metric-formats.ts';
import { ChartTooltip } from './ChartTooltip.tsx';
import { NoteLines, NoteMarks } from './NoteMarks.tsx';
import { toNotes } from './notes.ts';
import { Plot } from './Plot.tsx';
import { Pointing } from './Pointing.tsx';
import { toPlotModel } from './plot-model.ts';
import type { ChartKind } from './positions.ts';
import { describePoint } from './reading.ts';
import { toStretch, toValues, type Values } from './series.ts';
import { summarise } from './summary.ts';
import { useExplorer } from './use-explorer.ts';
import { useSize } from './use-size.ts';

export type TimeChartProps = {
  /** Content of the chart, as the beginning of a sentence: `Visitors, 1–20 Nov 2026`. */
  label: string;
  points: readonly Point[];
  /** Points of the compared range, in the same order. */
  comparison?: readonly Point[] | undefined;
  /** Time at which the last of those was cut: `10:20`. */
  comparedUntil?: string | undefined;
  /** Imported sums, in the same order. */
  imported?: Values | undefined;
  metric: ShownMetric;
  kind: ChartKind;
  interval: Interval;
  /** The first instant after the points, ISO. */
  end: string;
  /** Points that begin later have no figure yet. */
  nowMs: number;
  /** Called with a selected span: its first instant and the first one after it, ISO. */
  onZoom: (from: string, to: string) => void;
  /** Annotations of the points. */
  annotations?: readonly SeriesAnnotation[] | undefined;
  onAnnotation?: ((annotation: SeriesAnnotation) => void) | undefined;
};

/**
 * Figures over time. The picture is one image with a summary; a slider on top makes the points accessible by keyboard
 * and screen reader. ChartTable shows the same as a table.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, points, comparison, comparedUntil, imported, metric, kind, interval } = props;
  const { end, nowMs, onZoom, annotations, onAnnotation } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(frame);
  // The clock changes with every reading, the drawing only when a point passes from future to past.
  const pastCount = points.filter(({ time }) => Date.parse(time) <= nowMs).length;

  const { series, model, summary } = useMemo(() => {
    const lastMs = Date.parse(points[pastCount - 1]?.time ?? '');
    const values = toValues(points, metric, lastMs);
    const earlierPoints = comparison ?? [];
    const earlierValues = toValues(earlierPoints, metric, Number.POSITIVE_INFINITY);
    const earlier = { earlierPoints, earlierValues, earlierUntil: comparedUntil };
    const made = { points, values, ...earlier, importedValues: imported, metric, interval };
    return {
      series: made,
      model: toPlotModel({ ...made, kind }, width, height),
      summary: summarise(label, points, values, metric, interval),
    };
  }, [points, comparison, comparedUntil, imported, metric, kind, interval, label, pastCount, width, height]);

  const explorer = useExplorer({
    positions: model.positions,
    initial: Math.max(0, pastCount - 1),
    onSelect(one, other) {
      const stretch = toStretch(points, one, other, end);
      if (stretch) onZoom(stretch.from, stretch.to);
    },
  });
  const { index, anchor, handlers } = explorer;
  const notes = useMemo(() => toNotes(points, annotations), [points, annotations]);
  const annotated = { ...series, notes };
  const still = useMemo(() => <Plot model={model} />, [model]);
  const isDrawn = width > 0 && points.length > 0;

  return (
    <div class="chart" ref={frame}>
      <svg
        class="chart-picture"
        role="img"
        aria-label={summary}
        // A printer makes the frame narrower without a new measurement.
        viewBox={isDrawn ? `0 0 ${width} ${height}` : undefined}
      >
        {isDrawn && still}
        {isDrawn && <NoteLines notes={notes} model={model} />}
        {isDrawn && index !== undefined && <Pointing model={model} index={index} anchor={anchor} />}
      </svg>
      {isDrawn && model.isEmpty && <p class="chart-empty">No data in this period</p>}
      {points.length > 0 && (
        <div
          class="chart-surface"
          role="slider"
          tabIndex={0}
          aria-label={`${label}: points`}
          aria-valuemin={1}
          aria-valuemax={points.length}
          aria-valuenow={(index ?? Math.max(0, pastCount - 1)) + 1}
          aria-valuetext={describeSelection(index ?? Math.max(0, pastCount - 1), anchor)}
          {...handlers}
        />
      )}
      {isDrawn && <NoteMarks notes={notes} model={model} onOpen={onAnnotation} />}
      {isDrawn && index !== undefined && <ChartTooltip series={annotated} model={model} index={index} />}
    </div>
  );

  function describeSelection(at: number, from: number | undefined): string {
    const point = describePoint(annotated, at);
    if (from === undefined || from === at) return point;
    return `${Math.abs(at - from) + 1} points selected, Enter zooms in, Escape cancels. ${point}`;
  }
}
