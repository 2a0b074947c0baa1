import type { FunnelRequest } from '../../analytics/analytics.ts';
import type { Filter } from '../../analytics/interface/selection.ts';
import type { Parameters } from '../../http/parameters.ts';
import { type Dimension, FUNNEL_STEPS_MAX } from '../../vocabulary/analytics.ts';
import {
  FILTER_PATTERNS_MAX,
  FUNNEL_ORDERS,
  FUNNEL_STEPS_LENGTH_MAX,
  FUNNEL_UNITS,
  FUNNEL_WINDOW_DAYS_MAX,
  type FunnelOrder,
  type FunnelUnit,
  INTERVALS,
} from '../../vocabulary/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../vocabulary/durations.ts';
import type { Zone } from '../time/zone.ts';
import { DIMENSION_LENGTH_MAX } from './breakdown-parameters.ts';
import { findDimension, quote, VALID_DIMENSIONS } from './dimensions.ts';
import { parseFilters } from './filters.ts';
import type { Question } from './open-question.ts';
import type { Known } from './segments.ts';
import { type AskedTimeseries, readTimeseries } from './selection.ts';

export type AskedFunnel = {
  asked: AskedTimeseries | Question['asked'];
  by: FunnelUnit;
  order: FunnelOrder;
  /** The window as written. */
  window: string | undefined;
  request: FunnelRequest;
};

/** Reads a query for a funnel. Faults are added to the parameters. */
export function readFunnel({ parameters, asked, subject }: Question): AskedFunnel {
  const steps = readSteps(parameters, subject, asked.range.zone);
  const by = parameters.choice('by', FUNNEL_UNITS) ?? 'visitor';
  const order = parameters.choice('order', FUNNEL_ORDERS) ?? 'loose';
  const window = parameters.text('window', WINDOW_LENGTH_MAX);
  const windowMs = window === undefined ? undefined : parseWindow(window);
  if (window !== undefined && windowMs === undefined) parameters.fault('window', WINDOW_FORM);
  const timeseries = parameters.choice('interval', INTERVALS) ? readTimeseries(parameters, asked) : undefined;
  const dimension = readDimension(parameters);
  const { traffic = 'people', ...selection } = asked.selection;
  // Visits of people and of bots have no common order.
  if (traffic === 'all') parameters.fault('traffic', 'Must be people or bots');
  return {
    asked: timeseries ?? asked,
    by,
    order,
    window,
    request: {
      ...selection,
      traffic: traffic === 'bots' ? 'bots' : 'people',
      steps,
      by,
      isStrict: order === 'strict',
      ...(windowMs !== undefined && { windowMs }),
      ...(timeseries && { bounds: timeseries.series.bounds }),
      ...(dimension && { dimension }),
    },
  };
}

const FORM = 'Must be a JSON list of steps such as [["is","page",["/pricing"]],["is","goal",["Signup"]]]';
const WINDOW_LENGTH_MAX = 10;

function readSteps(parameters: Parameters, known: Known, zone: Zone): Filter[] {
  const text = parameters.text('steps', FUNNEL_STEPS_LENGTH_MAX);
  if (text === undefined) parameters.fault('steps', `Required. ${FORM}`);
  if (text === undefined) return [];
  const { steps, faults } = parseSteps(parse(text), known, zone);
  if (faults.length > 0) parameters.fault('steps', ...faults);
  return steps;
}

/** Reads steps parsed from JSON. The bound on patterns covers all steps together. */
export function parseSteps(
  given: unknown,
  known: Known,
  zone: Zone,
  isSaved = false,
): { steps: Filter[]; faults: string[] } {
  if (!Array.isArray(given)) return { steps: [], faults: [FORM] };
  const faults: string[] = [];
  let patternsMax = FILTER_PATTERNS_MAX;
  if (given.length < 2 || given.length > FUNNEL_STEPS_MAX)
    faults.push(`Must be 2 to ${FUNNEL_STEPS_MAX} steps`);
  const steps = given.slice(0, FUNNEL_STEPS_MAX).flatMap((step: unknown, index) => {
    const read = parseFilters(step, known, zone, { patternsMax, isSaved });
    patternsMax -= read.size.patterns;
    const own = 'faults' in read ? read.faults : isEmpty(step) ? ['Must have at least one filter'] : [];
    faults.push(...own.map((fault) => `Step ${index + 1}: ${fault}`));
    return 'filter' in read ? [read.filter] : [];
  });
  return { steps, faults };
}

const isEmpty = (step: unknown) => Array.isArray(step) && step.length === 0;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const UNIT_MS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

export const WINDOW_FORM = `Must be such as 30m, 12h or 7d, at most ${FUNNEL_WINDOW_DAYS_MAX}d`;

/** Converts `7d` to milliseconds. */
export function parseWindow(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const windowMs = Number(count) * (UNIT_MS[unit] ?? 0);
  return windowMs > 0 && windowMs <= FUNNEL_WINDOW_DAYS_MAX * DAY_MS ? windowMs : undefined;
}

function readDimension(parameters: Parameters): Dimension | undefined {
  const name = parameters.text('dimension', DIMENSION_LENGTH_MAX);
  if (name === undefined) return undefined;
  const dimension = findDimension(name);
  if (!dimension) parameters.fault('dimension', `Unknown dimension ${quote(name)}. ${VALID_DIMENSIONS}`);
  return dimension;
}
