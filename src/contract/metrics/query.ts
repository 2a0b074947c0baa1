import { t } from 'elysia';
import { DIMENSIONS, FILTER_OPERATORS, GOAL_SORTS, METRICS, TRAFFIC } from '../../vocabulary/analytics.ts';
import {
  COMPARISON_MATCHES,
  COMPARISONS,
  FILTERS_LENGTH_MAX,
  FORMATS,
  INTERVALS,
  NAME_LENGTH_MAX,
  PERIOD_DEFAULT,
  PERIODS,
  POINTS_MAX,
  SEARCH_LENGTH_MAX,
  STATS_LIMIT_DEFAULT,
} from '../../vocabulary/contract.ts';
import {
  COMPARISON_DESCRIPTIONS,
  COMPARISON_MATCH_DESCRIPTIONS,
  INTERVAL_DESCRIPTIONS,
  PERIOD_DESCRIPTIONS,
  TRAFFIC_DESCRIPTIONS,
} from '../../vocabulary/dimensions.ts';
import { choice, integerText } from '../types.ts';

/**
 * Parameters of metrics. The schemas document them; metrics/question parses them, to name every fault and list the valid
 * names.
 */

const DIMENSION_NAMES = `${DIMENSIONS.join(', ')}, or property:KEY`;

/** Matches bounds that `metrics/time/range` accepts, except for the length of months; empty counts as absent. */
const BOUND_PATTERN =
  '^(|\\d{1,15}|(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)?)?)$';

export const rangeFields = {
  period: t.Optional(
    choice(PERIODS, {
      description: `A range by name, in the time zone. Default: ${PERIOD_DEFAULT}. Rejected together with from and to. ${inWords(PERIOD_DESCRIPTIONS)}`,
    }),
  ),
  from: t.Optional(
    t.String({
      pattern: BOUND_PATTERN,
      description:
        'Instead of period: where the range begins. A date (a day of the time zone), a date and time (with an offset, or that of the time zone), or milliseconds since the epoch.',
      examples: ['2026-11-01'],
    }),
  ),
  to: t.Optional(
    t.String({
      pattern: BOUND_PATTERN,
      description:
        'Where it ends: a date is included as a whole day; a time is not included. Default: the end of today.',
      examples: ['2026-11-20'],
    }),
  ),
  timezone: t.Optional(
    t.String({
      description: 'IANA time zone of days and intervals. Default: that of the website.',
      examples: ['Europe/Berlin'],
    }),
  ),
};

export const selectionFields = {
  traffic: t.Optional(choice(TRAFFIC, { description: `Default: people. ${inWords(TRAFFIC_DESCRIPTIONS)}` })),
  filters: t.Optional(
    t.String({
      maxLength: FILTERS_LENGTH_MAX,
      description: `A JSON list of conditions that must all hold: [operator, dimension, values], ["and", [conditions]], ["or", [conditions]], ["not", condition], ["has_done", condition], ["has_not_done", condition], ["first_visit", condition], ["first_seen", {"from", "to"}]; and and or take at least one. Operators: ${FILTER_OPERATORS.join(', ')}. Dimensions: ${DIMENSION_NAMES}, or goal with is and is_not and the names of goals; Plausible's names (visit:country, event:page, event:props:KEY) as well.`,
      examples: ['[["is","country",["DE","FR"]],["contains","page",["/blog"]]]'],
    }),
  ),
};

export const goalField = {
  goal: t.Optional(
    t.String({
      maxLength: NAME_LENGTH_MAX,
      description:
        'A goal, by id or name, or `primary`, the one of the website if it has one: adds conversions, converters and conversionRate to totals and points; to rows also groupConversionRate, goalVisitors and goalRate.',
    }),
  ),
};
export const revenueField = {
  revenue: t.Optional(
    choice(['true', 'false'], {
      description:
        'true: also what the events have brought, by currency; of what is compared in /stats alone. For the owner alone. Default: false.',
    }),
  ),
};
export const formatField = {
  format: t.Optional(
    choice(FORMATS, {
      description:
        'Default: json. csv: RFC 4180 with a header; texts that a spreadsheet would take for a formula begin with a quote, figures such as -5.00 do not. ndjson: one object a line.',
    }),
  ),
};
export const comparisonField = {
  compare: t.Optional(
    choice(COMPARISONS, {
      description: `Also the figures of an earlier range. ${inWords(COMPARISON_DESCRIPTIONS)} While the range is running, the same part of the earlier one: today until 10:20 with yesterday until 10:20. Nothing is compared with period=all.`,
    }),
  ),
  compareFrom: t.Optional(
    t.String({
      pattern: BOUND_PATTERN,
      description: 'Required with compare=custom: where the other range begins. As from.',
      examples: ['2026-10-01'],
    }),
  ),
  compareTo: t.Optional(
    t.String({
      pattern: BOUND_PATTERN,
      description: 'Required with compare=custom: where it ends. As to.',
      examples: ['2026-10-20'],
    }),
  ),
  compareMatch: t.Optional(
    choice(COMPARISON_MATCHES, {
      description: `Default: date. ${inWords(COMPARISON_MATCH_DESCRIPTIONS)}`,
    }),
  ),
  compareEmpty: t.Optional(
    choice(['true', 'false'], {
      description:
        'false: no comparison with a range that ends before the first event of the website. Default: true.',
    }),
  ),
  compareWhole: t.Optional(
    choice(['true', 'false'], {
      description: 'true: the whole of the earlier range, also while the range is running. Default: false.',
    }),
  ),
};
export const intervalField = {
  interval: t.Optional(
    choice(INTERVALS, {
      description: `Length of a point; at most ${POINTS_MAX} points. ${inWords(INTERVAL_DESCRIPTIONS)}`,
    }),
  ),
};
export const annotationsField = {
  annotations: t.Optional(
    choice(['true', 'false'], { description: 'true: also the annotations of the range. Default: false.' }),
  ),
};
export const searchField = {
  search: t.Optional(
    t.String({
      maxLength: SEARCH_LENGTH_MAX,
      description: 'Only values that contain this text, whatever the case.',
    }),
  ),
};
export const absentField = {
  withAbsent: t.Optional(
    choice(['true', 'false'], {
      description: 'true: also a row, of value null, for what has no value. Default: false.',
    }),
  ),
};
export const dimensionField = {
  dimension: t.String({
    description: `Required. ${DIMENSION_NAMES}, or goal.`,
    examples: ['page', 'property:plan'],
  }),
};

export function pageFields(limitDefault: number, limitMax: number) {
  const ofFile = limitDefault === STATS_LIMIT_DEFAULT ? ', of a file all rows' : '';
  return {
    limit: t.Optional(
      integerText({
        minimum: 1,
        description: `Default ${limitDefault}${ofFile}; above ${limitMax} means ${limitMax}.`,
      }),
    ),
    offset: t.Optional(integerText({ minimum: 0, description: 'Default 0.' })),
  };
}

export function sortField(columns: readonly string[] = METRICS) {
  return {
    sort: t.Optional(
      t.String({
        description: `COLUMN:asc or COLUMN:desc; the column is one of ${columns.join(', ')}, value. Default: visitors:desc. Ties are in the order of the values.`,
        examples: ['pageviews:desc'],
      }),
    ),
  };
}

/** Order of a breakdown, which may also be by the goal or by the change. */
export function rankedSortField() {
  return sortField([
    ...METRICS,
    `${GOAL_SORTS.join(' and ')} (with goal)`,
    'METRIC.change and METRIC.percent (with compare; values that are gone have rows, too)',
  ]);
}

function inWords(descriptions: Record<string, string>): string {
  return Object.entries(descriptions)
    .map(([name, description]) => `${name}: ${description}`)
    .join(' ');
}
