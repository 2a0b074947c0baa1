import type { Selection } from '../../analytics/analytics.ts';
import type { Ask } from './ask.ts';
import { keepsOrder, toText, type ValueDimension } from './dimensions.ts';
import { COLUMN_OF, METRIC_OF } from './metrics.ts';
import type { PlausibleRequest } from './request.ts';
import { findRows, findTotals, narrow, type PlausibleRow } from './rows.ts';

export type AskedRows = Pick<PlausibleRequest, 'dimensions' | 'metrics' | 'orderBy' | 'pagination'>;
export type PlausibleRows = { rows: PlausibleRow[]; total: number };

/** The rows of one page, in their order, and how many there are on all pages. */
export async function findPage(ask: Ask, selection: Selection, asked: AskedRows): Promise<PlausibleRows> {
  const [first, ...more] = asked.dimensions;
  if (!first) return { rows: [{ keys: [], figures: await findTotals(ask, selection) }], total: 1 };
  const paged =
    first.kind === 'value' && more.length === 0 ? await byPage(ask, selection, first, asked) : undefined;
  if (paged) return paged;
  const rows = inOrder(await findRows(ask, selection, asked.dimensions), asked);
  const { limit, offset } = asked.pagination;
  return { rows: rows.slice(offset, offset + limit), total: rows.length };
}

/** @returns undefined when the engine cannot page: it knows neither texts nor a second column */
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
  const by = metric ? COLUMN_OF[metric] : ('value' as const);
  const { breakdowns } = await ask.query({
    ...(part.within ? narrow(whole, part.within) : whole),
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
  return { rows: rows.map(({ value, ...figures }) => ({ keys: [toText(part, value)], figures })), total };
}

function inOrder(rows: PlausibleRow[], { orderBy, dimensions, metrics }: AskedRows): PlausibleRow[] {
  const columns = orderBy.map(({ name, descending }) => {
    const index = dimensions.findIndex((dimension) => dimension.name === name);
    const metric = metrics.find((metric) => metric === name);
    const keyOf = (row: PlausibleRow) =>
      metric ? METRIC_OF[metric]({ ...row.figures, allVisitors: 1 }) : (row.keys[index] ?? '');
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

/** Keys of one column are of one type. */
function compare(a: number | string, b: number | string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
