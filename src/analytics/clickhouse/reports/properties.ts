import { sql } from '../../../log/clickhouse/sql.ts';
import type { Analytics } from '../../analytics.ts';
import type {
  CustomEvent,
  PropertyKey,
  PropertyValues,
  PropertyValuesRequest,
} from '../../interface/pages.ts';
import type { List } from '../../interface/selection.ts';
import { ask, askParts, toScope } from '../ask.ts';
import { dimensionPart, ofEvents } from '../parts.ts';
import type { Source } from '../read-window.ts';
import { createScan, TYPE } from '../scan.ts';
import { answerQuery } from './query.ts';

export async function listCustomEvents(
  { limit, offset, ...selection }: Parameters<Analytics['customEvents']>[0],
  source: Source,
): Promise<List<CustomEvent>> {
  const { breakdowns: [answer] = [] } = await answerQuery(
    { ...selection, breakdowns: [{ dimension: 'event', limit, offset }] },
    source,
  );
  const { rows, total } = answer ?? { rows: [], total: 0 };
  return {
    rows: rows.map(({ value, events, visitors }) => ({ name: value ?? '', events, visitors })),
    total,
  };
}

export function listPropertyKeys(
  request: Parameters<Analytics['propertyKeys']>[0],
  source: Source,
): Promise<List<PropertyKey>> {
  const { limit, offset } = request;
  return ask(source, toScope(request), async (window) => {
    const scan = createScan(window);
    const keys = scan.column(sql`CAST(property_keys, 'Array(String)')`);
    const types = sql`arrayMap(k -> ${TYPE}, ${keys})`;
    const part = {
      toTuples: ofEvents(
        sql`arrayFlatten(arrayMap(e -> ${keys}, ms))`,
        sql`arrayFlatten(arrayMap(e -> ${types}, ms))`,
      ),
      shown: sql`events > 0 AND value != ''`, // an empty key means absent
      order: { by: 'events' as const, descending: true, means: 'all' as const },
      limit,
      offset,
    };
    const matching = scan.matches(request);
    const [{ groups, total } = { groups: [], total: 0 }] = await askParts(source, scan, {
      parts: [part],
      matching,
    });
    return { rows: groups.map(({ value, events, visitors }) => ({ key: value, events, visitors })), total };
  });
}

export function listPropertyValues(request: PropertyValuesRequest, source: Source): Promise<PropertyValues> {
  const { key, search, limit, offset } = request;
  const dimension = `property:${key}` as const;
  return ask(source, toScope(request), async (window) => {
    const scan = createScan(window);
    const part = dimensionPart(scan, { dimension, limit, offset, ...(search && { search }) });
    const matching = scan.matches(request);
    const [{ groups, total } = { groups: [], total: 0 }] = await askParts(source, scan, {
      parts: [part],
      matching,
    });
    const rows = groups.map(({ value, events, visitors }) => ({ value, events, visitors }));
    const numbersScan = createScan(window);
    const isNumber = numbersScan.column(sql`property_numbers[indexOf(property_keys, ${key})]`);
    const text = numbersScan.value(dimension);
    const ofNumbers = sql`${numbersScan.matches(request)} AND ${isNumber}`;
    const [[count, sum, min, max] = [0, 0, 0, 0]] = await source.server.read<number[]>(
      sql`SELECT count(), sum(n), min(n), max(n) FROM (
        SELECT arrayJoin(arrayMap(e -> toFloat64OrZero(${text}), arrayFilter(e -> ${ofNumbers}, es))) AS n
        FROM ${numbersScan.visits()})`,
    );
    return { rows, total, numbers: toNumbers({ count, sum, min, max }) };
  });
}

type Sums = Record<'count' | 'sum' | 'min' | 'max', number | undefined>;

function toNumbers({ count = 0, sum = 0, min = 0, max = 0 }: Sums): PropertyValues['numbers'] {
  return count === 0 ? undefined : { count, sum, average: sum / count, min, max };
}
