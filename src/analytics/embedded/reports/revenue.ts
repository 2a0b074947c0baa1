import type { RevenueAnswer, RevenueRequest } from '../../analytics.ts';
import { compareText } from '../../derive/text.ts';
import { Buckets } from '../query/buckets.ts';
import { type CodedColumn, openColumn } from '../query/coded-column.ts';
import { Conditions, toWords, WORD_CONDITIONS } from '../query/conditions.ts';
import type { OpenColumns } from '../query/filter.ts';
import { eachHitAmong } from '../query/matches.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { createMoneyReader, type SegmentMoney } from './money.ts';
import { Takings } from './takings.ts';

/** Sums the revenue of the selected events by currency; also by bucket, dimension value and condition. */
export function answerRevenue(request: RevenueRequest, source: Source): RevenueAnswer {
  const { bounds, dimension, conditions } = request;
  const counted = new CountedRevenue(request, source);
  const readMoney = createMoneyReader(source);
  new Scan(request, source).run((vector) => {
    const money = readMoney(vector.segment);
    if (money) counted.add(vector, money);
  });
  const listOf = (groups: readonly Takings[]) => groups.map((takings) => takings.toRevenue());
  return {
    revenue: counted.total.toRevenue(),
    unreadable: counted.total.unreadable,
    ...(bounds && { points: listOf(counted.points) }),
    ...(conditions && { conditions: listOf(counted.conditions) }),
    ...(dimension && { values: toValues(counted) }),
  };
}

function toValues({ column, values }: CountedRevenue): NonNullable<RevenueAnswer['values']> {
  const rows = [...values].map(([code, takings]) => ({
    value: code === 0 ? null : (column?.text(code) ?? ''),
    revenue: takings.toRevenue(),
  }));
  return rows
    .filter(({ revenue }) => revenue.length > 0)
    .sort((a, b) => compareText(a.value ?? '', b.value ?? ''));
}

class CountedRevenue {
  readonly total = new Takings();
  readonly points: Takings[];
  readonly conditions: Takings[];
  /** Revenue by code of the dimension's value. */
  readonly values = new Map<number, Takings>();
  readonly column: CodedColumn | undefined;
  readonly #buckets: Buckets;
  readonly #words: Conditions[];

  constructor({ bounds = [], dimension, conditions = [] }: RevenueRequest, source: Source) {
    const columns: OpenColumns = new Map();
    this.#buckets = new Buckets(bounds);
    this.points = bounds.slice(1).map(() => new Takings());
    this.conditions = conditions.map(() => new Takings());
    this.#words = toWords(conditions).map((word) => new Conditions(word, source, columns));
    this.column = dimension === undefined ? undefined : openColumn(dimension, source);
  }

  add(vector: SelectionVector, { events, values, currency, currencies, minor }: SegmentMoney): void {
    const { segment } = vector;
    const atMs = this.points.length > 0 ? segment.column('atMs') : undefined;
    const met = this.#words.map((word) => word.meet(segment));
    const local = this.column?.local(segment);
    const groups = this.column?.codes(segment);
    eachHitAmong(events, vector, (event, visit, row) => {
      const value = values[row] as number;
      const code = currencies[currency[value] as number] as string;
      const amount = minor[value] as number;
      this.total.add(code, amount);
      if (atMs) this.points[this.#buckets.find(segment.dayMs + (atMs[event] as number))]?.add(code, amount);
      met.forEach((words, index) => {
        for (let rest = words?.[event] ?? 0; rest !== 0; rest &= rest - 1)
          this.conditions[index * WORD_CONDITIONS + 31 - Math.clz32(rest & -rest)]?.add(code, amount);
      });
      if (!this.column || !local || !groups) return;
      const place = this.column.scope === 'visit' ? visit : event;
      this.#takingsOf(groups[local[place] as number] as number).add(code, amount);
    });
  }

  #takingsOf(group: number): Takings {
    const known = this.values.get(group) ?? new Takings();
    this.values.set(group, known);
    return known;
  }
}
