import type { Figures } from '../../analytics/interface/query.ts';
import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import { type PlausibleMetric, ROWS_MAX } from '../../contract/plausible.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { BREAKDOWN_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { NO_FIGURES } from '../answers/wire.ts';
import { type Ask, tooMuch } from './ask.ts';
import { isOneOf } from './conditions.ts';
import { toText, type ValueDimension } from './dimensions.ts';
import type { PlausibleFigures } from './metrics.ts';
import type { PlausibleDimension, TimeDimension } from './request.ts';

/** `keys`: the start of a time bucket or the text of a value, in the order of the dimensions. */
export type PlausibleRow = {
  keys: (number | string)[];
  figures: Figures & Pick<PlausibleFigures, 'groupVisitors'>;
  /** The events of the row. */
  selection: Selection;
};

export type AskedGroups = {
  dimensions: readonly PlausibleDimension[];
  metrics: readonly PlausibleMetric[];
};

/** Finds all rows of some dimensions. The last dimension takes one question for each group of the others. */
export async function findRows(
  ask: Ask,
  selection: Selection,
  { dimensions, metrics }: AskedGroups,
): Promise<PlausibleRow[]> {
  const order = await orderDimensions(ask, selection, { dimensions, metrics });
  const groups = (await groupBy(ask, selection, order)).filter(({ figures }) => figures.events > 0);
  const last = order.at(-1);
  const needsEntered =
    metrics.includes('bounce_rate') && order.some(isPage) && last !== undefined && !isPage(last);
  const rows = needsEntered ? await withBounceRates(ask, selection, order, groups) : groups;
  const places = dimensions.map((dimension) => order.indexOf(dimension));
  return rows.map(({ keys, ...group }) => ({ ...group, keys: places.map((place) => keys[place] ?? '') }));
}

/** Sets the bounce rates of pages: of the visits that entered there, not of all that viewed the page. */
async function withBounceRates(
  ask: Ask,
  selection: Selection,
  order: readonly PlausibleDimension[],
  rows: PlausibleRow[],
): Promise<PlausibleRow[]> {
  const entered = order.map((dimension) => (isPage(dimension) ? toEntryPage(dimension) : dimension));
  const toKey = (keys: PlausibleRow['keys']) => JSON.stringify(keys);
  const groups = await groupBy(ask, selection, entered);
  const rates = new Map(groups.map(({ keys, figures }) => [toKey(keys), figures.bounceRate]));
  return rows.map(({ keys, figures, selection }) => ({
    keys,
    figures: { ...figures, bounceRate: rates.get(toKey(keys)) ?? 0 },
    selection,
  }));
}

function isPage(dimension: PlausibleDimension): dimension is ValueDimension {
  return dimension.kind === 'value' && dimension.parts.some(({ dimension }) => dimension === 'page');
}

function toEntryPage({ parts, ...page }: ValueDimension): ValueDimension {
  return { ...page, parts: parts.map((part) => ({ ...part, dimension: 'entryPage' })) };
}

/**
 * Orders dimensions: the one with most values last. A time comes first, because its groups are small, unless means are
 * requested. Those are over the visits that begin in a bucket, which a series knows and a range of that length does not.
 */
async function orderDimensions(
  ask: Ask,
  selection: Selection,
  { dimensions, metrics }: AskedGroups,
): Promise<PlausibleDimension[]> {
  const times = dimensions.filter((dimension) => dimension.kind === 'time');
  const values = await orderValues(
    ask,
    selection,
    dimensions.filter((dimension) => dimension.kind === 'value'),
  );
  const hasMeans = metrics.includes('bounce_rate') || metrics.includes('visit_duration');
  return hasMeans ? [...values, ...times] : [...times, ...values];
}

async function orderValues(ask: Ask, selection: Selection, values: readonly ValueDimension[]) {
  if (values.length < 2) return values;
  const parts = values.flatMap((value) => value.parts.map(({ dimension }) => ({ value, dimension })));
  const { breakdowns = [] } = await ask.query({
    ...selection,
    breakdowns: parts.map(({ dimension }) => ({ dimension, limit: 1, metrics: ['events'] })),
  });
  const counts = new Map<ValueDimension, number>();
  for (const [index, { value }] of parts.entries())
    counts.set(value, (counts.get(value) ?? 0) + (breakdowns[index]?.total ?? 0));
  for (const value of values) if (value.goals) counts.set(value, value.goals.length);
  return values.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
}

async function groupBy(
  ask: Ask,
  selection: Selection,
  [first, ...rest]: readonly PlausibleDimension[],
): Promise<PlausibleRow[]> {
  if (!first) return [];
  const isLast = rest.length === 0;
  const outer = await (first.kind === 'time'
    ? byTime(ask, selection, first)
    : byTexts(ask, selection, first, isLast));
  if (isLast) return outer;
  const some = outer.filter(({ figures }) => figures.events > 0);
  ask.requireLeft(some.length);
  const groups: PlausibleRow[] = [];
  for (const { keys, selection } of some) {
    for (const group of await groupBy(ask, selection, rest))
      groups.push({ ...group, keys: [...keys, ...group.keys] });
    if (groups.length > ROWS_MAX)
      throw tooMuch(`There are more than ${ROWS_MAX} rows: filter, or shorten the range`);
  }
  return groups;
}

/** Returns the buckets with events. Visits may begin in a bucket without a matching event, and have one later. */
async function byTime(ask: Ask, selection: Selection, { series }: TimeDimension): Promise<PlausibleRow[]> {
  const { series: points = [] } = await ask.query({ ...selection, series });
  return points.flatMap((figures, index) => {
    const startMs = series.bounds[index] ?? 0;
    const endMs = series.bounds[index + 1] ?? startMs;
    const fromMs = Math.max(startMs, selection.fromMs);
    const toMs = Math.min(endMs, selection.toMs);
    const isEmpty = figures.events === 0 && figures.bounceRate === 0;
    return isEmpty ? [] : { keys: [startMs], figures, selection: { ...selection, fromMs, toMs } };
  });
}

/**
 * Groups values with the same text. Visitors are not additive, so the figures of a group take a question.
 *
 * @param isLast whether figures are needed
 */
async function byTexts(
  ask: Ask,
  selection: Selection,
  dimension: ValueDimension,
  isLast: boolean,
): Promise<PlausibleRow[]> {
  const values = await findValues(ask, selection, dimension);
  const groups: PlausibleRow[] = [];
  for (const [text, same] of Map.groupBy(values, ({ text }) => text)) {
    const ofText = narrow(selection, { op: 'or', filters: same.map(({ filter }) => filter) });
    const [first = NO_VALUE, ...more] = same;
    const figures = isLast && more.length > 0 ? await findTotals(ask, ofText) : first.figures;
    groups.push({ keys: [text], figures, selection: ofText });
  }
  return groups;
}

const NO_VALUE = { figures: NO_FIGURES };

type FoundValue = { text: string; figures: Figures; filter: Filter };

async function findValues(
  ask: Ask,
  whole: Selection,
  { name, parts, goals }: ValueDimension,
): Promise<FoundValue[]> {
  if (goals) return findReached(ask, whole, goals);
  const values: FoundValue[] = [];
  for (const part of parts) {
    const { dimension, within, isPresent } = part;
    const { breakdowns } = await ask.query({
      ...(within ? narrow(whole, within) : whole),
      breakdowns: [{ dimension, limit: BREAKDOWN_LIMIT_MAX, withAbsent: !isPresent }],
    });
    const { rows = [], total = 0 } = breakdowns?.[0] ?? {};
    if (total > rows.length) throw tooMuch(`${name} has ${total} values: order by one metric, or filter`);
    for (const { value, ...figures } of rows) {
      const is = isOneOf(dimension, [value ?? '']);
      const filter: Filter = within ? { op: 'and', filters: [within, is] } : is;
      values.push({ text: toText(part, value), figures, filter });
    }
  }
  return values;
}

/** Returns the goals that were reached. */
async function findReached(ask: Ask, whole: Selection, goals: readonly CountedGoal[]): Promise<FoundValue[]> {
  const shown = goals.filter(({ goal }) => !goal.isArchived);
  const { rows } = await ask.conditions({ ...whole, conditions: shown.map(({ condition }) => condition) });
  return shown.flatMap(({ goal, condition }, index) => {
    const figures = rows[index] ?? NO_FIGURES;
    return figures.events === 0 ? [] : { text: goal.name, figures, filter: condition };
  });
}

export async function findTotals(ask: Ask, selection: Selection): Promise<Figures> {
  const { totals = NO_FIGURES } = await ask.query({ ...selection, totals: true });
  return totals;
}

export function narrow(selection: Selection, filter: Filter): Selection {
  return {
    ...selection,
    filter: selection.filter ? { op: 'and', filters: [selection.filter, filter] } : filter,
  };
}
