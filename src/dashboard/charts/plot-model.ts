import type { Point } from '../../contract/metrics/figures.ts';
import type { Interval } from '../../vocabulary/contract.ts';
import { METRIC_FORMATS, type ShownMetric } from '../state/metric-formats.ts';
import type { Mark } from './curve.ts';
import { bandOf, type ChartKind, toPositions } from './positions.ts';
import { largestOf, type Values } from './series.ts';
import { type TimeLabel, toTimeLabels, toWeekends } from './time-axis.ts';
import { toValueAxis } from './value-axis.ts';

/** Positions of all parts of a chart, in pixels of its SVG. */
export type PlotModel = {
  kind: ChartKind;
  width: number;
  left: number;
  right: number;
  top: number;
  base: number;
  band: number;
  positions: number[];
  marks: Mark[];
  earlier: Mark[];
  /** Imported sums. */
  imported: Mark[];
  valueTicks: { y: number; text: string }[];
  timeLabels: TimeLabel[];
  /** Spans of Saturdays and Sundays. */
  weekends: { x: number; width: number }[];
  /** Label of the last figure, next to the line. */
  end: { x: number; y: number; text: string; isIncomplete: boolean } | undefined;
  /** Whether points are few enough for a smooth curve. */
  isSmooth: boolean;
  isEmpty: boolean;
};

type PlotInput = {
  points: readonly Point[];
  values: Values;
  earlierValues: Values;
  importedValues?: Values | undefined;
  metric: ShownMetric;
  kind: ChartKind;
  interval: Interval;
};

const TOP = 12;
const BOTTOM = 28;
/** Space after the last point for half a focused point. */
const RIGHT = 10;
const LETTER_WIDTH = 7;
/** Distance from the last point to its figure. */
export const END_GAP = 9;
/** Maximum points of a smooth curve; with more it looks like straight lines. */
const SMOOTH_POINTS_MAX = 100;
/** Count below which lines are straight: a curve through 0, 1, 0, 1 looks like a wave. */
const SMOOTH_COUNT_MIN = 8;
/** Distance from the value axis's labels to the first point. */
export const LABEL_GAP = 10;
/** Space for `1.23M`, so that the chart stays in place when the metric changes. */
const GUTTER_MIN = 44;

export function toPlotModel(input: PlotInput, width: number, height: number): PlotModel {
  const { points, values, earlierValues, importedValues = [], kind, interval, metric } = input;
  const { short, scale } = METRIC_FORMATS[metric];
  const largest = largestOf(values, earlierValues, importedValues);
  const axis = toValueAxis(largest, scale);
  const texts = axis.ticks.map(short);
  const left = Math.max(GUTTER_MIN, LABEL_GAP + LETTER_WIDTH * Math.max(...texts.map((text) => text.length)));
  const lastIndex = kind === 'line' ? values.findLastIndex((value) => value !== null) : -1;
  const endText = lastIndex > 0 && largest > 0 ? short(values[lastIndex] ?? 0) : '';
  const endRoom = endText && lastIndex === points.length - 1 ? END_GAP + LETTER_WIDTH * endText.length : 0;
  const right = Math.max(left + 1, width - RIGHT - endRoom);
  const base = Math.max(TOP + 1, height - BOTTOM);
  const span = { start: left, length: right - left };
  const positions = toPositions(points.length, span, kind);
  const toY = (value: number) => base - (value / axis.max) * (base - TOP);
  const toMarks = (figures: Values): Mark[] =>
    positions.map((x, index) => {
      const value = figures[index] ?? null;
      return { x, y: value === null ? null : toY(value), isIncomplete: points[index]?.incomplete ?? false };
    });
  const marks = toMarks(values);
  const last = marks[lastIndex];
  const band = bandOf(points.length, span.length, kind);
  return {
    kind,
    width,
    left,
    right,
    top: TOP,
    base,
    band,
    positions,
    marks,
    earlier: toMarks(earlierValues).map((mark) => ({ ...mark, isIncomplete: false })),
    imported: toMarks(importedValues),
    valueTicks: axis.ticks.map((tick, index) => ({ y: toY(tick), text: texts[index] ?? '' })),
    timeLabels: toTimeLabels(
      points.map(({ local }) => local),
      interval,
      positions,
      width,
    ),
    weekends: toWeekends(points, interval).map(([from, to]) => {
      const start = Math.max(left, (positions[from] ?? 0) - band / 2);
      return { x: start, width: Math.min(right, (positions[to] ?? 0) + band / 2) - start };
    }),
    end:
      endText && last && last.y !== null
        ? { x: last.x, y: last.y, text: endText, isIncomplete: last.isIncomplete }
        : undefined,
    isSmooth:
      kind === 'line' &&
      points.length <= SMOOTH_POINTS_MAX &&
      (scale !== 'count' || largest >= SMOOTH_COUNT_MIN),
    isEmpty: largest === 0,
  };
}
