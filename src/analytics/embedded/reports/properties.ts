import { OTHER } from '../../../vocabulary/analytics.ts';
import { compareText, toText } from '../../derive/text.ts';
import type {
  CustomEvent,
  PropertyKey,
  PropertyValues,
  PropertyValuesRequest,
} from '../../interface/pages.ts';
import type { List, ListPage, Selection } from '../../interface/selection.ts';
import { CodeSet } from '../collections/code-set.ts';
import { eachHitAmong } from '../query/matches.ts';
import { Scan } from '../query/scan.ts';
import type { Source } from '../query/source.ts';
import { answerBreakdown } from './query.ts';

export function listCustomEvents(request: Selection & ListPage, source: Source): List<CustomEvent> {
  const { limit, offset } = request;
  const { rows, total } = answerBreakdown(request, { dimension: 'event', limit, offset }, source);
  return {
    rows: rows.map(({ value, events, visitors }) => ({ name: value ?? '', events, visitors })),
    total,
  };
}

/** Lists the property keys of a selection, most events first, then by name. */
export function listPropertyKeys(request: Selection & ListPage, source: Source): List<PropertyKey> {
  const { dictionaries } = source.website;
  const keys = new Map<number, { events: number; visitors: CodeSet }>();
  new Scan(request, source).run((vector) => {
    const { segment } = vector;
    const properties = segment.properties();
    if (properties.size === 0) return;
    const visitor = segment.column('visitor');
    for (const [key, { events }] of properties) {
      const counted = keys.get(key) ?? { events: 0, visitors: new CodeSet(dictionaries.visitors.count) };
      keys.set(key, counted);
      const addVisitor = counted.visitors.adder(events.length);
      eachHitAmong(events, vector, (_event, visit) => {
        counted.events += 1;
        addVisitor(visitor[visit] as number);
      });
    }
  });
  const names = dictionaries.get('propertyKey');
  const rows = [...keys]
    .filter(([, { events }]) => events > 0)
    .map(([key, { events, visitors }]) => ({ key: names.text(key), events, visitors: visitors.size }))
    .sort((a, b) => b.events - a.events || compareText(a.key, b.key));
  return { rows: rows.slice(request.offset, request.offset + request.limit), total: rows.length };
}

/** Lists the values of one key, most visitors first, and sums the numbers among them. */
export function listPropertyValues(request: PropertyValuesRequest, source: Source): PropertyValues {
  const { limit, offset, search } = request;
  const key = toText(request.key);
  const breakdown = { dimension: `property:${key}` as const, limit, offset, ...(search && { search }) };
  const { rows, total } = answerBreakdown(request, breakdown, source);
  return {
    rows: rows.map(({ value, events, visitors }) => ({ value: value ?? '', events, visitors })),
    total,
    numbers: sumNumbers(request, key, source),
  };
}

function sumNumbers(selection: Selection, key: string, source: Source): PropertyValues['numbers'] {
  const { dictionaries } = source.website;
  const keyCode = dictionaries.get('propertyKey').find(key);
  if (keyCode === 0) return undefined;
  const counts = new Map<number, number>();
  new Scan(selection, source).run((vector) => {
    const property = vector.segment.property(keyCode);
    if (!property) return;
    eachHitAmong(property.events, vector, (_event, _visit, row) => {
      if (property.numeric[row] === 0) return;
      const code = property.codes[property.values[row] as number] as number;
      counts.set(code, (counts.get(code) ?? 0) + 1);
    });
  });
  const numbers = {
    count: 0,
    sum: 0,
    average: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
  };
  for (const [code, count] of [...counts].sort(([a], [b]) => a - b)) {
    const text = dictionaries.property(keyCode).text(code);
    if (text === OTHER) continue;
    const value = Number(text);
    numbers.count += count;
    numbers.sum += value * count;
    numbers.min = Math.min(numbers.min, value);
    numbers.max = Math.max(numbers.max, value);
  }
  return numbers.count === 0 ? undefined : { ...numbers, average: numbers.sum / numbers.count };
}
