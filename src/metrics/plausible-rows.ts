import type { Analytics, Figures, Filter, Selection } from '../analytics/analytics.ts';
import { BREAKDOWN_LIMIT_MAX, type Dimension } from '../analytics/vocabulary.ts';
import { PAIR_QUESTIONS_MAX, PAIRS_MAX } from '../contract/plausible.ts';
import { validationError } from '../errors.ts';
import { COLUMN_OF } from './plausible-names.ts';
import type { PlausibleDimension, PlausibleRequest } from './plausible-request.ts';
import { NO_FIGURES } from './wire.ts';

/** `keys`: for a time the start of the bucket, for a value the value; in the order of the dimensions. */
export type PlausibleRow = { keys: (number | string | null)[]; figures: Figures };
export type PlausibleRows = {
  rows: PlausibleRow[];
  totals: Figures;
  /** Rows beyond those that were fetched, when the engine has paged already. */
  paged?: { total: number };
};

type Asked = { analytics: Analytics; selection: Selection; request: PlausibleRequest };

/** All rows of the dimensions, with the totals that percentages are of. */
export async function findRows(asked: Asked): Promise<PlausibleRows> {
  const { analytics, selection, request } = asked;
  const [first, second] = request.dimensions;
  if (!first) {
    const { totals = NO_FIGURES } = await analytics.query({ ...selection, totals: true });
    return { rows: [{ keys: [], figures: totals }], totals };
  }
  if (!second) return first.kind === 'time' ? overTime(asked, first) : byValue(asked, first);
  const { totals = NO_FIGURES } = await analytics.query({ ...selection, totals: true });
  if (first.kind === 'time' && second.kind === 'value')
    return { rows: await overTimeByValue(asked, first, second, false), totals };
  if (first.kind === 'value' && second.kind === 'time')
    return { rows: await overTimeByValue(asked, second, first, true), totals };
  if (first.kind === 'value' && second.kind === 'value')
    return { rows: await byPairs(asked, first, second), totals };
  throw new Error('Two time dimensions are refused when the request is read.');
}

type Time = Extract<PlausibleDimension, { kind: 'time' }>;
type Value = Extract<PlausibleDimension, { kind: 'value' }>;

async function overTime({ analytics, selection }: Asked, { series }: Time): Promise<PlausibleRows> {
  const { totals = NO_FIGURES, series: figures = [] } = await analytics.query({
    ...selection,
    totals: true,
    series,
  });
  const rows = figures.map((figure, index) => ({ keys: [series.bounds[index] ?? 0], figures: figure }));
  return { rows: rows.filter(({ figures }) => figures.events > 0), totals };
}

/** Ordered by one of our columns, the engine pages; else the rows are fetched and ordered here. */
async function byValue({ analytics, selection, request }: Asked, value: Value): Promise<PlausibleRows> {
  const { dimension } = value;
  const { orderBy, pagination } = request;
  const [order] = orderBy;
  const isPaged = order !== undefined && orderBy.length === 1;
  const metric = request.metrics.find((metric) => metric === order?.name);
  const by = metric ? COLUMN_OF[metric] : ('value' as const);
  const page = isPaged
    ? { ...pagination, sort: { by, descending: order.descending } }
    : { limit: BREAKDOWN_LIMIT_MAX };
  const { totals = NO_FIGURES, breakdowns } = await analytics.query({
    ...selection,
    totals: true,
    breakdowns: [{ dimension, withAbsent: true, ...page }],
  });
  const { rows = [], total = 0 } = breakdowns?.[0] ?? {};
  if (!isPaged && total > BREAKDOWN_LIMIT_MAX)
    throw tooManyRows(`${value.name} has ${total} values: order by one column, or filter`);
  const found = rows.map(({ value, ...figures }) => ({ keys: [value], figures }));
  return isPaged ? { rows: found, totals, paged: { total } } : { rows: found, totals };
}

/** The values of each bucket: what happened in it is a selection of its own. */
async function overTimeByValue(
  { analytics, selection }: Asked,
  { series, name }: Time,
  { dimension }: Value,
  isValueFirst: boolean,
): Promise<PlausibleRow[]> {
  const { bounds } = series;
  if (bounds.length - 1 > PAIR_QUESTIONS_MAX)
    throw tooManyRows(`With another dimension, ${name} can have at most ${PAIR_QUESTIONS_MAX} points`);
  const rows: PlausibleRow[] = [];
  for (const [index, endMs] of bounds.slice(1).entries()) {
    const startMs = bounds[index] ?? endMs;
    const fromMs = Math.max(startMs, selection.fromMs);
    const toMs = Math.min(endMs, selection.toMs);
    for (const { value, figures } of await findValues(analytics, { ...selection, fromMs, toMs }, dimension))
      rows.push({ keys: isValueFirst ? [value, startMs] : [startMs, value], figures });
    requireFew(rows);
  }
  return rows;
}

/** The values of one dimension for each value of the other: of that which has fewer. */
async function byPairs(
  { analytics, selection }: Asked,
  first: Value,
  second: Value,
): Promise<PlausibleRow[]> {
  const { breakdowns } = await analytics.query({
    ...selection,
    breakdowns: [first, second].map(({ dimension }) => ({
      dimension,
      limit: PAIR_QUESTIONS_MAX,
      withAbsent: true,
    })),
  });
  const [ofFirst, ofSecond] = [breakdowns?.[0], breakdowns?.[1]];
  const isFirstOuter = (ofFirst?.total ?? 0) <= (ofSecond?.total ?? 0);
  const outer = isFirstOuter ? ofFirst : ofSecond;
  const inner = isFirstOuter ? second : first;
  if ((outer?.total ?? 0) > PAIR_QUESTIONS_MAX)
    throw tooManyRows(
      `${first.name} and ${second.name} both have more than ${PAIR_QUESTIONS_MAX} values in this range: filter one of them`,
    );
  const rows: PlausibleRow[] = [];
  for (const { value: outerValue } of outer?.rows ?? []) {
    const isValue: Filter = {
      op: 'match',
      dimension: isFirstOuter ? first.dimension : second.dimension,
      operator: 'is',
      values: [outerValue ?? ''],
    };
    const filter: Filter = selection.filter ? { op: 'and', filters: [selection.filter, isValue] } : isValue;
    for (const { value, figures } of await findValues(analytics, { ...selection, filter }, inner.dimension))
      rows.push({ keys: isFirstOuter ? [outerValue, value] : [value, outerValue], figures });
    requireFew(rows);
  }
  return rows;
}

async function findValues(analytics: Analytics, selection: Selection, dimension: Dimension) {
  const { breakdowns } = await analytics.query({
    ...selection,
    breakdowns: [{ dimension, limit: BREAKDOWN_LIMIT_MAX, withAbsent: true }],
  });
  const { rows = [], total = 0 } = breakdowns?.[0] ?? {};
  if (total > BREAKDOWN_LIMIT_MAX) throw tooManyRows(`${dimension} has ${total} values: filter it`);
  return rows.map(({ value, ...figures }) => ({ value, figures }));
}

function requireFew(rows: PlausibleRow[]): void {
  if (rows.length > PAIRS_MAX)
    throw tooManyRows(`There are more than ${PAIRS_MAX} rows: filter, or shorten the range`);
}

function tooManyRows(sentence: string) {
  return validationError('Invalid query', { dimensions: [sentence] });
}
