import type { Analytics } from '../../analytics/analytics.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import type { Breakdown, Values } from '../../contract/metrics/stats.ts';
import type { Metric } from '../../vocabulary/analytics.ts';
import { compareValues } from '../answers/add-figures.ts';
import { inParts } from '../answers/added-analytics.ts';
import { findTotals, narrow } from '../answers/conversions.ts';
import { findRevenue } from '../answers/revenue.ts';
import { toChange, toComparison, toRange } from '../answers/wire.ts';
import type { Sort } from '../question/breakdown-parameters.ts';
import type { Asked } from '../question/selection.ts';
import type { Member } from '../question/website-set.ts';

type ListRequest = { search?: string; sort?: Sort<Metric>; limit: number; offset: number };

/** Breaks down by website: a row has the totals of one. Websites without a matching event have none. */
export async function answerWebsiteBreakdown(
  analytics: Analytics,
  { range, selection, compared, withRevenue }: Asked,
  members: readonly Member[],
  { search = '', sort = { by: 'visitors', descending: true }, limit, offset }: ListRequest,
): Promise<Breakdown> {
  const found = await inParts(members, async (member) => {
    const of = (selected: Selection) => narrow(selected, { op: 'website', websiteKeys: [member.key] });
    const [now, before, revenue] = await Promise.all([
      findTotals(analytics, of(selection), undefined),
      compared && findTotals(analytics, of(compared.selection), undefined),
      withRevenue ? findRevenue(analytics, of(selection)) : undefined,
    ]);
    return {
      value: member.name,
      ...now,
      ...(revenue && { revenue }),
      ...(before && { comparison: { ...before, change: toChange(now, before) } }),
    };
  });
  const visitors = found.reduce((sum, row) => sum + row.visitors, 0);
  const rows = found
    .filter(({ value, events }) => events > 0 && value.toLowerCase().includes(search.toLowerCase()))
    .map((row): BreakdownRow => ({ ...row, share: visitors === 0 ? 0 : row.visitors / visitors }))
    .sort(bySort(sort));
  return {
    range: toRange(range),
    dimension: 'website',
    rows: rows.slice(offset, offset + limit),
    pagination: { total: rows.length, limit, offset },
    ...(compared && { comparison: toComparison(compared) }),
  };
}

function bySort({ by, descending }: Sort<Metric>): (one: BreakdownRow, other: BreakdownRow) => number {
  const sign = descending ? -1 : 1;
  if (by === 'value') return (one, other) => sign * compareValues(one, other);
  return (one, other) => sign * (one[by] - other[by]) || compareValues(one, other);
}

/** Lists the websites that have events, most events first. */
export async function answerWebsiteValues(
  analytics: Analytics,
  asked: Asked,
  members: readonly Member[],
  { search, limit }: { search?: string; limit: number },
): Promise<Values> {
  const sort = { by: 'events', descending: true } as const;
  const request = { sort, limit, offset: 0, ...(search !== undefined && { search }) };
  const one = { ...asked, compared: undefined, withRevenue: false };
  const { range, rows } = await answerWebsiteBreakdown(analytics, one, members, request);
  const values = rows.map(({ value, events }) => ({ value: value ?? '', events }));
  return { range, dimension: 'website', values };
}
