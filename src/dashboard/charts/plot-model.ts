import type { Metric } from '../../analytics/vocabulary.ts';
import type { Point } from '../../contract/metrics.ts';
import type { Interval } from '../../contract/vocabulary.ts';
import type { Locale } from '../format.ts';
import { METRIC_FORMATS } from '../metric-formats.ts';
import { formatTick } from '../time-format.ts';
import type { Mark } from './paths.ts';
import { bandOf, type ChartKind, toPositions } from './positions.ts';
import { largestOf, type Values } from './series.ts';
import { type TimeLabel, toTimeLabels } from './time-axis.ts';
import { toValueAxis } from './value-axis.ts';

/** Where everything of a chart is, in pixels of its SVG. */
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
  valueTicks: { y: number; text: string }[];
  timeLabels: TimeLabel[];
  isEmpty: boolean;
};

export type PlotInput = {
  points: readonly Point[];
  values: Values;
  earlierValues: Values;
  metric: Metric;
  kind: ChartKind;
  interval: Interval;
  locale?: Locale;
};

const TOP = 12;
const BOTTOM = 28;
/** Half a focused point must fit beside the last one. */
const RIGHT = 10;
const LETTER_WIDTH = 7;
/** Room for `1.23M`, so that another metric moves nothing. */
const GUTTER_MIN = 44;

export function toPlotModel(input: PlotInput, width: number, height: number): PlotModel {
  const { points, values, earlierValues, kind, interval, metric, locale } = input;
  const { short, scale } = METRIC_FORMATS[metric];
  const largest = largestOf(values, earlierValues);
  const axis = toValueAxis(largest, scale);
  const texts = axis.ticks.map((tick) => short(tick, locale));
  const left = Math.max(GUTTER_MIN, 10 + LETTER_WIDTH * Math.max(...texts.map((text) => text.length)));
  const right = Math.max(left + 1, width - RIGHT);
  const base = Math.max(TOP + 1, height - BOTTOM);
  const span = { start: left, length: right - left };
  const positions = toPositions(points.length, span, kind);
  const toY = (value: number) => base - (value / axis.max) * (base - TOP);
  const toMarks = (figures: Values): Mark[] =>
    positions.map((x, index) => {
      const value = figures[index] ?? null;
      return { x, y: value === null ? null : toY(value), isIncomplete: points[index]?.incomplete ?? false };
    });
  return {
    kind,
    width,
    left,
    right,
    top: TOP,
    base,
    band: bandOf(points.length, span.length, kind),
    positions,
    marks: toMarks(values),
    earlier: toMarks(earlierValues).map((mark) => ({ ...mark, isIncomplete: false })),
    valueTicks: axis.ticks.map((tick, index) => ({ y: toY(tick), text: texts[index] ?? '' })),
    timeLabels: toTimeLabels(
      points.map(({ local }) => local),
      interval,
      positions,
      width,
      (local) => formatTick(local, interval, locale),
    ),
    isEmpty: largest === 0,
  };
}
