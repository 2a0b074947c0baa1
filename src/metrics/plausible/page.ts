import type { Selection } from '../../analytics/interface/selection.ts';
import type { Ask } from './ask.ts';
import { isOneOf } from './conditions.ts';
import { keepsOrder, toText, type ValueDimension } from './dimensions.ts';
import { COLUMN_OF, isRevenue, METRIC_OF } from './metrics.ts';
import type { PlausibleDimension, PlausibleRequest } from './request.ts';
import { type AskedGroups, findRows, findTotals, narrow, type PlausibleRow } from './rows.ts';

export type AskedRows = Pick<PlausibleRequest, 'dimensions' | 'metrics' | 'orderBy' | 'pagination'> & {
  /** The selection without its goal, when those visitors are needed. */
  others?: Selection;
};
export type PlausibleRows = { rows: PlausibleRow[]; total: number };

/** Finds the rows of one page, in order, and the total number of rows. */
export async function findPage(ask: Ask, selection: Selection, asked: AskedRows): Promise<PlausibleRows> {
  const [first, ...more] = asked.dimensions;
  const withGroups = asked.metrics.includes('group_conversion_rate') ? asked.others : undefined;
  if (!first) return { rows: await findGroups(ask, selection, asked, withGroups), total: 1 };
  const isPaged = first.kind === 'value' && more.length === 0 && !withGroups;
  const paged = isPaged ? await byPage(ask, selection, first, asked) : undefined;
  if (paged) return paged;
  const rows = inOrder(await findGroups(ask, selection, asked, withGroups), asked);
  const { limit, offset } = asked.pagination;
  return { rows: rows.slice(offset, offset + limit), total: rows.length };
}

/** @param others when given, each row includes the visitors of its group in this selection */
async function findGroups(
  ask: Ask,
  selection: Selection,
  { dimensions, metrics }: AskedGroups,
  others: Selection | undefined,
): Promise<PlausibleRow[]> {
  const find = async (selected: Selection, by: readonly PlausibleDimension[]): Promise<PlausibleRow[]> =>
    by.length === 0
      ? [{ keys: [], figures: await findTotals(ask, selected), selection: selected }]
      : findRows(ask, selected, { dimensions: by, metrics: selected === others ? ['visitors'] : metrics });
  const rows = await find(selection, dimensions);
  if (!others) return rows;
  // Counts all visitors, so a goal does not define groups.
  const isGroup = dimensions.map((dimension) => dimension.kind === 'time' || !dimension.isGoal);
  const toKey = (keys: PlausibleRow['keys']) => JSON.stringify(keys);
  const groups = await find(
    others,
    dimensions.filter((_, index) => isGroup[index]),
  );
  const visitors = new Map(groups.map(({ keys, figures }) => [toKey(keys), figures.visitors]));
  return rows.map(({ keys, figures, selection }) => {
    const groupVisitors = visitors.get(toKey(keys.filter((_, index) => isGroup[index]))) ?? 0;
    return { keys, figures: { ...figures, groupVisitors }, selection };
  });
}

/** @returns undefined when the engine cannot page, because of texts or a second column */
async function byPage(
  ask: Ask,
  whole: Selection,
  dimension: ValueDimension,
  { orderBy, metrics, pagination }: AskedRows,
): Promise<PlausibleRows | undefined> {
  const [part, ...otherParts] = dimension.parts;
  const [order, ...otherOrders] = orderBy;
  const metric = metrics.find((metric) => metric === order?.name);
  const isOrdered = metric ? !part?.names : keepsOrder(dimension);
  if (!part || !order || otherParts.length + otherOrders.length > 0 || !isOrdered) return undefined;
  const by = metric && !isRevenue(metric) ? COLUMN_OF[metric] : ('value' as const);
  const selection = part.within ? narrow(whole, part.within) : whole;
  const { breakdowns } = await ask.query({
    ...selection,
    breakdowns: [
      {
        dimension: part.dimension,
        withAbsent: !part.isPresent,
        sort: { by, descending: order.descending },
        ...pagination,
      },
    ],
  });
  const { rows = [], total = 0 } = breakdowns?.[0] ?? {};
  return {
    rows: rows.map(({ value, ...figures }) => ({
      keys: [toText(part, value)],
      figures,
      selection: narrow(selection, isOneOf(part.dimension, [value ?? ''])),
    })),
    total,
  };
}

export function inOrder(
  rows: PlausibleRow[],
  { orderBy, dimensions, metrics }: Pick<AskedRows, 'orderBy' | 'dimensions' | 'metrics'>,
): PlausibleRow[] {
  const columns = orderBy.map(({ name, descending }) => {
    const index = dimensions.findIndex((dimension) => dimension.name === name);
    const metric = metrics.find((metric) => metric === name);
    const keyOf = (row: PlausibleRow) =>
      metric && !isRevenue(metric)
        ? METRIC_OF[metric]({ ...row.figures, allVisitors: 1, goalVisitors: 1 })
        : (row.keys[index] ?? '');
    return { keyOf, sign: descending ? -1 : 1 };
  });
  return rows.toSorted((a, b) => {
    for (const { keyOf, sign } of columns) {
      const order = compare(keyOf(a), keyOf(b));
      if (order !== 0) return sign * order;
    }
    for (const [index, key] of a.keys.entries()) {
      const order = compare(key, b.keys[index] ?? '');
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Compares keys of one column, which have one type. */
function compare(a: number | string, b: number | string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
