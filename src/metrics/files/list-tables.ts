import type { Attribution } from '../../contract/metrics-attribution.ts';
import type { Funnel } from '../../contract/metrics-funnel.ts';
import type { Journeys } from '../../contract/metrics-journeys.ts';
import {
  type Activity,
  PAGE_COLUMNS,
  type PageRow,
  type Session,
  type Visitor,
} from '../../contract/metrics-lists.ts';
import type { PageDetail } from '../../contract/metrics-pages.ts';
import type { Retention } from '../../contract/metrics-retention.ts';
import {
  ATTRIBUTION_MODELS,
  CLIENT_DIMENSIONS,
  METRICS,
  ORIGIN_DIMENSIONS,
} from '../../vocabulary/analytics.ts';
import { Amount, type Table } from './format.ts';

/** The lists as tables, for CSV and NDJSON. */

export function sessionsTable(name: string, { sessions }: { sessions: Session[] }): Table<Session> {
  return {
    name,
    columns: [
      'sessionId',
      'visitorId',
      'startedAt',
      'lastActivityAt',
      'duration',
      'pageviews',
      'events',
      'entryPage',
      'exitPage',
      ...ORIGIN_DIMENSIONS,
      ...CLIENT_DIMENSIONS,
    ],
    rows: sessions,
  };
}

export function visitorsTable(name: string, { visitors }: { visitors: Visitor[] }): Table<Visitor> {
  return {
    name,
    columns: [
      'visitorId',
      'firstSeenAt',
      'lastSeenAt',
      'visits',
      'pageviews',
      'events',
      ...CLIENT_DIMENSIONS,
    ],
    rows: visitors,
  };
}

export function activityTable(name: string, { events }: { events: Activity[] }): Table<Activity> {
  const columns = ['id', 'createdAt', 'eventType', 'url', 'page', 'name', 'properties'] as const;
  return { name, columns, rows: events };
}

export function pagesTable(name: string, { pages }: { pages: PageRow[] }): Table<PageRow> {
  return { name, columns: ['page', ...PAGE_COLUMNS], rows: pages };
}

export function pageTable(name: string, detail: PageDetail): Table {
  const { range, page, sources, referrers, previous, next, ...figures } = detail;
  const listed = (list: string, rows: Record<string, unknown>[]) => rows.map((row) => ({ list, ...row }));
  return {
    name,
    columns: ['list', 'value', ...METRICS, 'entries', 'exits'],
    rows: [
      { list: 'page', value: page, ...figures },
      ...listed('sources', sources),
      ...listed('referrers', referrers),
      ...listed('previous', previous),
      ...listed('next', next),
    ],
  };
}

/** The steps; points and groups are in the JSON alone. */
export function funnelTable(name: string, { steps }: Funnel): Table {
  return {
    name,
    columns: ['step', 'reached', 'rate', 'stepRate', 'droppedOff', 'next'],
    rows: steps.map((step, index) => ({ step: index + 1, ...step })),
  };
}

/** A row for each value; three columns for each currency. */
export function attributionTable(name: string, { rows }: Attribution): Table {
  const currencies = [
    ...new Set(rows.flatMap(({ last }) => last.revenue.map(({ currency }) => currency))),
  ].sort();
  const amountColumns = currencies.flatMap((currency) =>
    ATTRIBUTION_MODELS.map((model) => ({ model, currency, column: `${model}.${currency}` })),
  );
  return {
    name,
    columns: ['value', ...ATTRIBUTION_MODELS, ...amountColumns.map(({ column }) => column)],
    rows: rows.map(({ value, ...models }) => ({
      value,
      ...Object.fromEntries(ATTRIBUTION_MODELS.map((model) => [model, models[model].conversions])),
      ...Object.fromEntries(
        amountColumns.map(({ model, currency, column }) => {
          const money = models[model].revenue.find((revenue) => revenue.currency === currency);
          return [column, money ? new Amount(money.amount) : ''];
        }),
      ),
    })),
  };
}

/** A row for each branch, with the whole way to it. */
export function journeysTable(name: string, { branches }: Journeys): Table {
  const paths: string[] = [];
  for (const { parent, value } of branches)
    paths.push([...(parent === null ? [] : [paths[parent]]), value ?? OTHER_BRANCH].join(' > '));
  return {
    name,
    columns: ['step', 'path', 'stop', 'value', 'visits', 'rate', 'ended'],
    rows: branches.map((branch, index) => ({ ...branch, path: paths[index] })),
  };
}

const OTHER_BRANCH = '(other)';

/** A row for each cohort and point. */
export function retentionTable(name: string, { cohorts }: Retention): Table {
  return {
    name,
    columns: ['time', 'local', 'visitors', 'after', 'returned', 'rate'],
    rows: cohorts.flatMap(({ returned, rates, time, local, visitors }) =>
      returned.map((count, after) => ({ time, local, visitors, after, returned: count, rate: rates[after] })),
    ),
  };
}
