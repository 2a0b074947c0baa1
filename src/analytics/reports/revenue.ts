import type { Revenue, RevenueAnswer, RevenueRequest } from '../analytics.ts';
import { REVENUE_KEY } from '../dimensions.ts';
import { Buckets } from '../query/buckets.ts';
import { type CodedColumn, openColumn } from '../query/coded-column.ts';
import { Conditions, toWords } from '../query/conditions.ts';
import type { OpenColumns } from '../query/filter.ts';
import { eachHitAmong } from '../query/hits.ts';
import { compareText } from '../query/rank.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import type { SegmentProperty } from '../segment/properties.ts';
import { createMoneyReader } from './money.ts';

/** How often each value of the property was sent: sums are made of these at the end, so that none is a fraction. */
type Counts = Map<number, number>;

/** What the events of a selection have brought, by currency; also by bucket, by the values of a dimension, by condition. */
export function answerRevenue(request: RevenueRequest, source: Source): RevenueAnswer {
  const { bounds, dimension, conditions } = request;
  const counted = new CountedRevenue(request, source);
  const key = source.website.dictionaries.get('propertyKey').find(REVENUE_KEY);
  if (key !== 0)
    new Scan(request, source).run((vector) => {
      const property = vector.segment.property(key);
      if (property) counted.add(vector, property);
    });
  const toRevenue = createReader(source);
  const { revenue, unreadable } = toRevenue(counted.total);
  const listOf = (groups: readonly Counts[]) => groups.map((counts) => toRevenue(counts).revenue);
  return {
    revenue,
    unreadable,
    ...(bounds && { points: listOf(counted.points) }),
    ...(conditions && { conditions: listOf(counted.conditions) }),
    ...(dimension && { values: toValues(counted, toRevenue) }),
  };
}

type Reader = (counts: Counts) => { revenue: Revenue[]; unreadable: number };

function createReader(source: Source): Reader {
  const read = createMoneyReader(source);
  return (counts) => {
    const sums = new Map<string, Revenue>();
    let unreadable = 0;
    for (const [code, events] of counts) {
      const money = read(code);
      if (!money) {
        unreadable += events;
        continue;
      }
      const { minor, currency } = money;
      const sum = sums.get(currency) ?? { currency, minor: 0n, events: 0 };
      sum.minor += BigInt(minor) * BigInt(events);
      sum.events += events;
      sums.set(currency, sum);
    }
    const revenue = [...sums.values()].sort((a, b) => compareText(a.currency, b.currency));
    return { revenue, unreadable };
  };
}

function toValues(
  { column, values }: CountedRevenue,
  toRevenue: Reader,
): NonNullable<RevenueAnswer['values']> {
  const rows = [...values].map(([code, counts]) => ({
    value: code === 0 ? null : (column?.text(code) ?? ''),
    revenue: toRevenue(counts).revenue,
  }));
  return rows
    .filter(({ revenue }) => revenue.length > 0)
    .sort((a, b) => compareText(a.value ?? '', b.value ?? ''));
}

class CountedRevenue {
  readonly total: Counts = new Map();
  readonly points: Counts[];
  readonly conditions: Counts[];
  /** By code of the dimension. */
  readonly values = new Map<number, Counts>();
  readonly column: CodedColumn | undefined;
  readonly #buckets: Buckets;
  readonly #words: Conditions[];

  constructor({ bounds = [], dimension, conditions = [] }: RevenueRequest, source: Source) {
    const columns: OpenColumns = new Map();
    this.#buckets = new Buckets(bounds);
    this.points = bounds.slice(1).map(() => new Map());
    this.conditions = conditions.map(() => new Map());
    this.#words = toWords(conditions).map((word) => new Conditions(word, source, columns));
    this.column = dimension === undefined ? undefined : openColumn(dimension, source);
  }

  add(vector: SelectionVector, { events, values, codes }: SegmentProperty): void {
    const { segment } = vector;
    const atMs = this.points.length > 0 ? segment.column('atMs') : undefined;
    const met = this.#words.map((word) => word.meet(segment));
    const local = this.column?.local(segment);
    const groups = this.column?.codes(segment);
    eachHitAmong(events, vector, (event, visit, row) => {
      const code = codes[values[row] as number] as number; // rows, events and visits are within their columns
      count(this.total, code);
      if (atMs) this.#countPoint(segment.dayMs + (atMs[event] as number), code);
      met.forEach((words, index) => {
        for (let rest = words?.[event] ?? 0; rest !== 0; rest &= rest - 1)
          count(this.conditions[index * 32 + 31 - Math.clz32(rest & -rest)] as Counts, code);
      });
      if (!this.column || !local || !groups) return;
      const place = this.column.scope === 'visit' ? visit : event;
      const group = groups[local[place] as number] as number;
      const counts = this.values.get(group) ?? new Map();
      this.values.set(group, counts);
      count(counts, code);
    });
  }

  #countPoint(atMs: number, code: number): void {
    const counts = this.points[this.#buckets.find(atMs)];
    if (counts) count(counts, code);
  }
}

function count(counts: Counts, code: number): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}
