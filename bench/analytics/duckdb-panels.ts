import type { DuckDBConnection } from '@duckdb/node-api';
import { BREAKDOWNS, DAY_MS, FILTERS, type Question, ROWS } from './questions.ts';

/** Counts of a panel's row, from either engine; times and durations in the units of the API. */
export type Counts = { visitors: number; visits: number; pageviews: number; events: number };
export type Panels = {
  totals: Counts & { bounceRate: number; visitDuration: number };
  /** By the ISO time of the day's beginning. */
  points: (Counts & { time: string })[];
  breakdowns: { dimension: string; rows: (Counts & { value: string })[]; total: number }[];
};

type Dimension = (typeof BREAKDOWNS)[number];

const COLUMNS: Record<Dimension, string> = {
  page: 'page',
  entryPage: 'entry_page',
  source: 'source',
  channel: 'channel',
  country: 'country',
  browser: 'browser',
  os: 'os',
  deviceType: 'device',
};
const VISIT_COLUMNS = BREAKDOWNS.filter((name) => name !== 'page').map((name) => COLUMNS[name]);

/**
 * The ten panels, as fast as DuckDB was found to give them: the visits of the selection are gathered once, and all
 * panels of visits come from them. It computes less than the service, which also answers bounces and durations of each
 * row and point.
 */
export async function askPanels(
  connection: DuckDBConnection,
  question: Question,
  endMs: number,
): Promise<Panels> {
  const where = selection(question, endMs);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE chosen AS
    SELECT visit, any_value(visitor) AS visitor, any_value(is_bounce) AS is_bounce,
           any_value(duration_ms) AS duration_ms, count(*) AS events,
           count(*) FILTER (type = 'pageview') AS pageviews,
           ${VISIT_COLUMNS.map((column) => `any_value(${column}) AS ${column}`).join(', ')}
    FROM events WHERE ${where} GROUP BY visit`);
  const [totals] = await rows<Panels['totals']>(
    connection,
    `SELECT ${OF_VISITS}, coalesce(avg(is_bounce::INTEGER), 0) AS bounceRate,
            coalesce(avg(duration_ms) / 1000, 0) AS visitDuration
     FROM chosen`,
  );
  const points = await rows<Panels['points'][number]>(
    connection,
    `SELECT strftime(date_trunc('day', created_at), '%Y-%m-%dT00:00:00.000Z') AS time, ${OF_EVENTS}
     FROM events WHERE ${where} GROUP BY ALL ORDER BY time`,
  );
  const breakdowns: Panels['breakdowns'] = [];
  for (const dimension of BREAKDOWNS) {
    const column = COLUMNS[dimension];
    const found = await rows<Panels['breakdowns'][number]['rows'][number] & { total: number }>(
      connection,
      `SELECT ${column}::VARCHAR AS value, ${dimension === 'page' ? OF_EVENTS : OF_VISITS},
              (count(*) OVER ())::DOUBLE AS total
       FROM ${dimension === 'page' ? `events WHERE ${where} AND` : 'chosen WHERE'} ${column} IS NOT NULL
       GROUP BY ${column} ORDER BY visitors DESC, value LIMIT ${ROWS}`,
    );
    breakdowns.push({
      dimension,
      total: found[0]?.total ?? 0,
      rows: found.map(({ total, ...row }) => row),
    });
  }
  if (!totals) throw new Error('DuckDB answered without totals.');
  return { totals, points, breakdowns };
}

/** Visitors, visits and pageviews by the website's key. */
export function askTotals(
  connection: DuckDBConnection,
  days: number,
  endMs: number,
): Promise<(Counts & { website: number })[]> {
  return rows(
    connection,
    `SELECT website::DOUBLE AS website, ${OF_EVENTS} FROM events WHERE ${timeRange(days, endMs)}
     GROUP BY website ORDER BY website`,
  );
}

// As DOUBLE, which reads as a number of JavaScript.
const OF_EVENTS = `count(DISTINCT visitor)::DOUBLE AS visitors, count(DISTINCT visit)::DOUBLE AS visits,
  (count(*) FILTER (type = 'pageview'))::DOUBLE AS pageviews, count(*)::DOUBLE AS events`;
const OF_VISITS = `count(DISTINCT visitor)::DOUBLE AS visitors, count(*)::DOUBLE AS visits,
  coalesce(sum(pageviews), 0)::DOUBLE AS pageviews, coalesce(sum(events), 0)::DOUBLE AS events`;

function selection({ website, days, filter }: Question, endMs: number): string {
  const conditions = FILTERS[filter].map(([dimension, value]) => `${COLUMNS[dimension]} = '${value}'`);
  return [`website = ${website + 1}`, timeRange(days, endMs), ...conditions].join(' AND ');
}

function timeRange(days: number, endMs: number): string {
  const instant = (atMs: number) => `make_timestamp_ms(${atMs})`;
  return `created_at >= ${instant(endMs - days * DAY_MS)} AND created_at < ${instant(endMs)}`;
}

/** @typeParam Row what the statement selects: columns of DOUBLE and VARCHAR */
async function rows<Row>(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJS() as Row[];
}
