import { fieldsOf, join, type Sql, sql } from '../../../log/clickhouse/sql.ts';
import type { RevenueAnswer, RevenueRequest } from '../../analytics.ts';
import type { Revenue } from '../../interface/revenue.ts';
import { ask, toScope } from '../ask.ts';
import { REVENUE } from '../derived.ts';
import type { Source } from '../read-window.ts';
import { AT, createScan } from '../scan.ts';
import { inOrder } from '../text-test.ts';

/** A sum: of everything, or by bucket, value or condition. */
type Sum = { value: Sql; condition: Sql };
const T = fieldsOf(sql`t`, ['part', 'value', 'currency', 'minor']);
type Row = [part: number, value: string, currency: string, minor: string, events: number];

export function answerRevenue(request: RevenueRequest, source: Source): Promise<RevenueAnswer> {
  const { bounds, dimension, conditions = [] } = request;
  return ask(source, toScope(request), async (window) => {
    const scan = createScan(window);
    const [state, currency, minor] = [
      scan.column(sql`revenue`),
      scan.column(sql`CAST(currency, 'String')`),
      scan.column(sql`minor`),
    ];
    const hasBuckets = bounds !== undefined && bounds.length > 1;
    const parts: Sum[] = [
      { value: sql`''`, condition: sql`1` },
      hasBuckets ? bucketSum(bounds) : NO_SUM,
      dimension ? { value: scan.value(dimension), condition: sql`1` } : NO_SUM,
      ...conditions.map((filter) => ({ value: sql`''`, condition: scan.passes(filter) })),
    ];
    const tuples = parts.map(
      ({ value, condition }, part) =>
        sql`arrayMap(e -> (${part}, ${value}, ${currency}, ${minor}), arrayFilter(e -> ${condition}, ms))`,
    );
    const matching = sql`${scan.matches(request)} AND ${state} != ${REVENUE.none}`;
    const rows = await source.server.read<Row>(
      sql`SELECT ${T.part}, ${T.value} AS value, ${T.currency} AS currency, toString(sum(toInt128(${T.minor}))), count() FROM (
        SELECT arrayJoin(arrayConcat(${join(tuples, ', ')})) AS t FROM (
          SELECT *, arrayFilter(e -> ${matching}, es) AS ms FROM ${scan.visits()} WHERE notEmpty(ms)))
      GROUP BY ${T.part}, value, currency ORDER BY ${T.part}, ${inOrder(sql`value`)}, currency`,
    );
    const ofPart = (part: number) => rows.filter(([own]) => own === part);
    const byValue = Map.groupBy(ofPart(2), ([, value]) => value);
    return {
      revenue: toRevenue(ofPart(0)),
      unreadable: ofPart(0).find(([, , code]) => code === '')?.[4] ?? 0,
      ...(bounds && {
        points: bounds
          .slice(0, -1)
          .map((startMs) => toRevenue(ofPart(1).filter(([, value]) => value === String(startMs)))),
      }),
      ...(dimension && {
        values: [...byValue]
          .map(([value, own]) => ({ value: value || null, revenue: toRevenue(own) }))
          .filter(({ revenue }) => revenue.length > 0),
      }),
      ...(request.conditions && {
        conditions: conditions.map((_, index) => toRevenue(ofPart(FIRST_CONDITION + index))),
      }),
    };
  });
}

const NO_SUM: Sum = { value: sql`''`, condition: sql`0` };
const FIRST_CONDITION = 3;

function bucketSum(bounds: readonly number[]): Sum {
  const starts = bounds.map((ms) => sql`toInt64(${ms})`);
  return {
    value: sql`toString(roundDown(${AT}, ${starts}))`,
    condition: sql`${AT} >= ${bounds[0] ?? 0} AND ${AT} < ${bounds.at(-1) ?? 0}`,
  };
}

/** Without a currency, the value was not an amount. */
function toRevenue(rows: readonly Row[]): Revenue[] {
  return rows
    .filter(([, , currency]) => currency !== '')
    .map(([, , currency, minor, events]) => ({ currency, minor: BigInt(minor), events }));
}
