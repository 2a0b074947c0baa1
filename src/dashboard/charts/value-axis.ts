import type { Scale } from '../state/metric-formats.ts';

/** Axis from 0 to a round number at or above the largest value. */
type ValueAxis = { max: number; ticks: number[] };

/** Round durations in seconds; larger ones are rounded like other numbers. */
const SECONDS_STEPS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400];
/** End of an axis without values. */
const EMPTY_MAX: Record<Scale, number> = { count: 1, decimal: 1, fraction: 1, seconds: 60 };
/** Tolerance for floating-point division. */
const PRECISION = 12;
const STEPS = 3;

/** A few ticks at round numbers. Counts are whole, fractions end at 1, durations step by clock units. */
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

/** The proportionally nearest 1, 2 or 5 times a power of ten. */
function decimalStep(about: number): number {
  const power = 10 ** Math.floor(Math.log10(about));
  const part = about / power;
  return tidy((part >= Math.sqrt(50) ? 10 : part >= Math.sqrt(10) ? 5 : part >= Math.SQRT2 ? 2 : 1) * power);
}

const tidy = (value: number) => Number(value.toPrecision(PRECISION));
