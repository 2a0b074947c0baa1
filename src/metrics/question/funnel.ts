import type { Filter, FunnelRequest } from '../../analytics/analytics.ts';
import { type Dimension, FUNNEL_STEPS_MAX } from '../../analytics/vocabulary.ts';
import {
  FUNNEL_ORDERS,
  FUNNEL_STEPS_LENGTH_MAX,
  FUNNEL_UNITS,
  FUNNEL_WINDOW_DAYS_MAX,
  type FunnelOrder,
  type FunnelUnit,
  INTERVALS,
} from '../../contract/vocabulary.ts';
import type { Zone } from '../time/zone.ts';
import { DIMENSION_LENGTH_MAX } from './breakdown-parameters.ts';
import { findDimension, quote, VALID_DIMENSIONS } from './dimensions.ts';
import { parseFilters } from './filters.ts';
import type { Question } from './open-question.ts';
import type { Parameters } from './parameters.ts';
import type { Known } from './segments.ts';
import { type AskedTimeseries, readTimeseries } from './selection.ts';

export type AskedFunnel = {
  asked: AskedTimeseries | Question['asked'];
  by: FunnelUnit;
  order: FunnelOrder;
  /** As it was written. */
  window: string | undefined;
  request: FunnelRequest;
};

/** Reads a question for a funnel. Faults are left with the parameters. */
export function readFunnel({ parameters, asked, subject }: Question): AskedFunnel {
  const steps = readSteps(parameters, subject, asked.range.zone);
  const by = parameters.choice('by', FUNNEL_UNITS) ?? 'visitor';
  const order = parameters.choice('order', FUNNEL_ORDERS) ?? 'loose';
  const window = parameters.text('window', WINDOW_LENGTH_MAX);
  const windowMs = window === undefined ? undefined : readWindow(parameters, window);
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
  const given = text === undefined ? undefined : parse(text);
  if (text !== undefined && !Array.isArray(given)) parameters.fault('steps', FORM);
  if (!Array.isArray(given)) return [];
  if (given.length < 2 || given.length > FUNNEL_STEPS_MAX)
    parameters.fault('steps', `Must be 2 to ${FUNNEL_STEPS_MAX} steps`);
  return given.slice(0, FUNNEL_STEPS_MAX).flatMap((step: unknown, index) => {
    const read = parseFilters(step, known, zone);
    if ('faults' in read)
      parameters.fault('steps', ...read.faults.map((fault) => `Step ${index + 1}: ${fault}`));
    else if (Array.isArray(step) && step.length === 0)
      parameters.fault('steps', `Step ${index + 1}: Must have at least one filter`);
    return 'filter' in read ? [read.filter] : [];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function readWindow(parameters: Parameters, text: string): number | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const windowMs = Number(count) * (UNIT_MS[unit] ?? 0);
  if (windowMs > 0 && windowMs <= FUNNEL_WINDOW_DAYS_MAX * 86_400_000) return windowMs;
  parameters.fault('window', `Must be such as 30m, 12h or 7d, at most ${FUNNEL_WINDOW_DAYS_MAX}d`);
  return undefined;
}

function readDimension(parameters: Parameters): Dimension | undefined {
  const name = parameters.text('dimension', DIMENSION_LENGTH_MAX);
  if (name === undefined) return undefined;
  const dimension = findDimension(name);
  if (!dimension) parameters.fault('dimension', `Unknown dimension ${quote(name)}. ${VALID_DIMENSIONS}`);
  return dimension;
}
