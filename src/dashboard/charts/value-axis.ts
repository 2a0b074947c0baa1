import type { Scale } from '../state/metric-formats.ts';

/** From 0 to a round number at or above the largest value. */
type ValueAxis = { max: number; ticks: number[] };

/** Round lengths of time in seconds; above the last one they are round as other numbers are. */
const SECONDS_STEPS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400];
/** Where the axis ends when there is nothing to show. */
const EMPTY_MAX: Record<Scale, number> = { count: 1, decimal: 1, fraction: 1, seconds: 60 };
/** Divisions of floating point are off by less than this. */
const PRECISION = 12;
const STEPS = 3;

/** Ticks at round numbers, a handful of them. Counts have no half ones, parts end at 1, durations step by clock. */
export function toValueAxis(largest: number, scale: Scale): ValueAxis {
  if (!(largest > 0)) return { max: EMPTY_MAX[scale], ticks: [0, EMPTY_MAX[scale]] };
  const step = roundStep(largest, scale);
  const steps = Math.ceil(tidy(largest / step));
  const values = Array.from({ length: steps + 1 }, (_, index) => tidy(index * step));
  return { max: tidy(steps * step), ticks: values };
}

function roundStep(largest: number, scale: Scale): number {
  const step = decimalStep(largest / STEPS);
  if (scale === 'count') return Math.max(1, step);
  if (scale === 'fraction') return largest > 0.6 ? 0.25 : step;
  if (scale === 'seconds') return SECONDS_STEPS.find((s) => largest / s <= STEPS + 1) ?? step;
  return step;
}

/** 1, 2 or 5 times a power of ten: the nearest, in proportion. */
function decimalStep(about: number): number {
  const power = 10 ** Math.floor(Math.log10(about));
  const part = about / power;
  return tidy((part >= Math.sqrt(50) ? 10 : part >= Math.sqrt(10) ? 5 : part >= Math.SQRT2 ? 2 : 1) * power);
}

const tidy = (value: number) => Number(value.toPrecision(PRECISION));
