import { fieldsOf, type Sql, sql } from '../../../log/clickhouse/sql.ts';
import {
  ATTRIBUTED_VISITS_MAX,
  ATTRIBUTION_MODELS,
  type AttributionModel,
  CONVERSION_PARTS,
} from '../../../vocabulary/analytics.ts';
import type {
  AttributedShare,
  AttributionAnswer,
  AttributionRequest,
  AttributionRow,
} from '../../analytics.ts';
import { compareText } from '../../derive/text.ts';
import { ask, toScope } from '../ask.ts';
import { REVENUE } from '../derived.ts';
import type { Source } from '../read-window.ts';
import { AT, createScan, fieldsOfEvent } from '../scan.ts';

/** A visit: its position, the value that gets the credit, and its conversions. */
const fieldsOfVisit = (visit: Sql) => fieldsOf(visit, ['began', 'touch', 'done']);
const V = fieldsOfVisit(sql`v`);
const CONVERSION = fieldsOf(sql`c`, ['at', 'currency', 'minor']);

/** Counts of one value and currency by model: conversions, their millionths, minor units. */
type Row = [
  value: string,
  currency: string,
  conversions: [first: number, last: number, linear: number],
  millionths: [first: number, last: number, linear: number],
  minor: [first: string, last: string, linear: string],
];

export async function answerAttribution(
  request: AttributionRequest,
  source: Source,
): Promise<AttributionAnswer> {
  const { condition, dimension, lookbackMs } = request;
  // Includes earlier visits, regardless of the range.
  const scope = { ...toScope(request), needsFirstVisits: true };
  const rows = await ask(source, scope, (window) => {
    const scan = createScan(window);
    const isConversion = sql`${scan.matches(request)} AND ${scan.passes(condition)}`;
    const isMoney = sql`${scan.column(sql`revenue`)} = ${REVENUE.amount}`;
    const currency = sql`if(${isMoney}, ${scan.column(sql`CAST(currency, 'String')`)}, '')`;
    const minor = sql`if(${isMoney}, ${scan.column(sql`minor`)}, 0)`;
    const value = scan.value(dimension);
    /** The remainder goes to the first visits, one unit each. */
    const share = (whole: typeof AT) =>
      sql`(intDiv(${whole}, n) + if(k <= abs(${whole} % n), sign(${whole}), 0))`;
    return source.server.read<Row>(
      sql`SELECT touches[k] AS value, ${CONVERSION.currency} AS currency,
        (countIf(k = 1), countIf(k = n), count()),
        (countIf(k = 1) * ${CONVERSION_PARTS}, countIf(k = n) * ${CONVERSION_PARTS},
          sum(${share(sql`toInt64(${CONVERSION_PARTS})`)})),
        (toString(sumIf(toInt128(${CONVERSION.minor}), k = 1)), toString(sumIf(toInt128(${CONVERSION.minor}), k = n)),
          toString(sum(toInt128(${share(CONVERSION.minor)}))))
      FROM (
        SELECT c, if(length(led) > ${ATTRIBUTED_VISITS_MAX}, arraySlice(led, -${ATTRIBUTED_VISITS_MAX}), led) AS touches,
          toInt64(length(touches)) AS n, toInt64(arrayJoin(arrayEnumerate(touches))) AS k FROM (
          SELECT c, arrayFilter((touch, start, j) -> j <= i AND (j = i OR start >= ${CONVERSION.at} - ${lookbackMs}),
            labels, starts, arrayEnumerate(starts)) AS led FROM (
            SELECT labels, starts, i, arrayJoin(own) AS c FROM (
              SELECT arrayMap(v -> ${fieldsOfEvent(V.began).at}, vs) AS starts, arrayMap(v -> ${V.touch}, vs) AS labels,
                arrayJoin(arrayEnumerate(vs)) AS i, ${fieldsOfVisit(sql`vs[i]`).done} AS own FROM (
                SELECT arraySort(v -> ${V.began}, groupArray((began, touch, done))) AS vs FROM (
                  SELECT website_key, visitor_id, class, visit AS began, ${value} AS touch,
                    arrayMap(e -> (${AT}, ${currency}, ${minor}), arrayFilter(e -> ${isConversion}, es)) AS done
                  FROM ${scan.visits()})
                GROUP BY website_key, visitor_id, class HAVING arrayExists(v -> notEmpty(${V.done}), vs))))))
      GROUP BY value, currency ORDER BY currency`,
    );
  });
  const byValue = Map.groupBy(rows, ([value]) => value);
  return {
    conversions: rows.reduce((sum, [, , [first]]) => sum + first, 0),
    rows: [...byValue]
      .map(([value, own]) => toRow(value || null, own))
      .sort((a, b) => b.linear.millionths - a.linear.millionths || compareText(a.value, b.value)),
  };
}

function toRow(value: string | null, rows: readonly Row[]): AttributionRow {
  const shares = ATTRIBUTION_MODELS.map((model, index) => [model, toShare(rows, index)] as const);
  return { value, ...(Object.fromEntries(shares) as Record<AttributionModel, AttributedShare>) };
}

function toShare(rows: readonly Row[], model: number): AttributedShare {
  return {
    millionths: rows.reduce((sum, [, , , millionths]) => sum + (millionths[model] ?? 0), 0),
    revenue: rows
      .filter(([, currency, conversions]) => currency !== '' && (conversions[model] ?? 0) > 0)
      .map(([, currency, , , minor]) => ({ currency, minor: BigInt(minor[model] ?? 0) })),
  };
}
