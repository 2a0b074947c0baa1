import type { Session, Visitor } from '../../contract/metrics/lists.ts';
import { CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from '../../vocabulary/analytics.ts';
import type { Row, Table } from './format.ts';

/** Columns of what a filter selected; empty without one. */
const MATCHED = ['events', 'lastAt', 'eventType', 'page', 'name', 'revenue'] as const;
const MATCHED_COLUMNS = MATCHED.map((name) => `matched.${name}`);

export function sessionsTable(name: string, { sessions }: { sessions: Session[] }): Table {
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
      ...MATCHED_COLUMNS,
    ],
    rows: sessions.map(toRow),
  };
}

export function visitorsTable(name: string, { visitors }: { visitors: Visitor[] }): Table {
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
      ...MATCHED_COLUMNS,
    ],
    rows: visitors.map(toRow),
  };
}

/** Spreads `matched`. Revenue is text, because each row may have other currencies: `79.00 EUR; 5.00 USD`. */
function toRow({ matched, ...row }: Session | Visitor): Row {
  if (!matched) return row;
  const revenue = matched.revenue.map(({ total, currency }) => `${total} ${currency}`).join('; ');
  const cells = MATCHED.map((name) => [`matched.${name}`, name === 'revenue' ? revenue : matched[name]]);
  return { ...row, ...Object.fromEntries(cells) };
}
