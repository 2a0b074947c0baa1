import type { AttributedShare, AttributionAnswer, AttributionRequest } from '../analytics.ts';
import { REVENUE_KEY } from '../dimensions.ts';
import { type CodedColumn, openColumn } from '../query/coded-column.ts';
import { Conditions } from '../query/conditions.ts';
import { eachHit } from '../query/hits.ts';
import { compareText } from '../query/rank.ts';
import { Scan } from '../query/scan.ts';
import { segmentsIn } from '../query/segments-in.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import type { Segment } from '../segment/segment.ts';
import {
  ATTRIBUTED_VISITS_MAX,
  ATTRIBUTION_MODELS,
  type AttributionModel,
  CONVERSION_PARTS,
} from '../vocabulary.ts';
import { createMoneyReader, type Money } from './money.ts';

/** Which visits led to conversions: the conversions are found first, then all visits of those who converted. */
export function answerAttribution(request: AttributionRequest, source: Source): AttributionAnswer {
  const { conversions, persons } = findConversions(request, source);
  const visits = findVisits(request, persons, source);
  const shares = new Shares(openColumn(request.dimension, source));
  for (const conversion of conversions) {
    const own = visits.get(conversion.person) ?? [];
    const last = own.findLastIndex(({ number }) => number === conversion.visit);
    const earliestMs = conversion.atMs - request.lookbackMs;
    let first = last;
    while (
      first > 0 &&
      last - first + 1 < ATTRIBUTED_VISITS_MAX &&
      (own[first - 1]?.startMs ?? Number.NEGATIVE_INFINITY) >= earliestMs
    )
      first -= 1;
    shares.add(
      own.slice(first, last + 1).map(({ code }) => code),
      conversion.revenue,
    );
  }
  return { conversions: conversions.length, rows: shares.toRows() };
}

/** `visit`: its number among all of the website, in the order of its segments. `person`: a visitor in one class. */
type Conversion = { person: number; visit: number; atMs: number; revenue: Money };
type VisitPlace = { number: number; startMs: number; code: number };

const CLASS_BITS = 2;
const VISIT_NUMBERS = 2 ** 16;

function findConversions(request: AttributionRequest, source: Source) {
  const met = new Conditions([request.condition], source, new Map());
  const conversions: Conversion[] = [];
  const persons = new Set<number>();
  const revenueOf = createRevenueReader(source);
  const numbers = numberSegments(source);
  new Scan(request, source).run((vector) => {
    const words = met.meet(vector.segment);
    if (words) collect(vector, words);
  });
  return { conversions, persons };

  function collect(vector: SelectionVector, words: Uint32Array): void {
    const { segment } = vector;
    const atMs = segment.column('atMs');
    const moneyAt = revenueOf(segment);
    const firstNumber = numbers.get(segment) ?? 0;
    eachHit(vector, (event, visit) => {
      if (words[event] === 0) return;
      const person = personOf(segment, visit);
      persons.add(person);
      conversions.push({
        person,
        visit: firstNumber + visit,
        atMs: segment.dayMs + (atMs[event] as number), // within the columns
        revenue: moneyAt(event),
      });
    });
  }
}

/** Of each of some persons, the visits that can have a part, in the order of time. */
function findVisits(
  { fromMs, toMs, lookbackMs, dimension }: AttributionRequest,
  persons: ReadonlySet<number>,
  source: Source,
): Map<number, VisitPlace[]> {
  const column = openColumn(dimension, source);
  const numbers = numberSegments(source);
  const visits = new Map<number, VisitPlace[]>();
  if (persons.size === 0) return visits;
  for (const segment of segmentsIn(source.website.segments, fromMs - lookbackMs, toMs))
    source.pool.use(segment, () => {
      const local = column.local(segment);
      const codes = column.codes(segment);
      const startMs = segment.column('startMs');
      for (let visit = 0; visit < segment.visitCount; visit += 1) {
        const person = personOf(segment, visit);
        if (!persons.has(person)) continue;
        const own = visits.get(person) ?? [];
        visits.set(person, own);
        own.push({
          number: (numbers.get(segment) ?? 0) + visit,
          startMs: segment.dayMs + (startMs[visit] as number), // visits are within their columns
          code: codes[local[visit] as number] as number,
        });
      }
    });
  return visits;
}

function personOf(segment: Segment, visit: number): number {
  const visitor = segment.column('visitor')[visit] as number; // visits are within the columns
  return visitor * 2 ** CLASS_BITS + (segment.column('class')[visit] as number);
}

function numberSegments({ website }: Source): Map<Segment, number> {
  return new Map(website.segments.map((segment, index) => [segment, index * VISIT_NUMBERS]));
}

/** What an event of a segment has brought. */
function createRevenueReader(source: Source): (segment: Segment) => (event: number) => Money {
  const key = source.website.dictionaries.get('propertyKey').find(REVENUE_KEY);
  const read = createMoneyReader(source);
  return (segment) => {
    const property = key === 0 ? undefined : segment.property(key);
    if (!property) return () => undefined;
    const rows = new Map(Array.from(property.events, (event, row) => [event, row]));
    return (event) => {
      const row = rows.get(event);
      return row === undefined ? undefined : read(property.codes[property.values[row] as number] as number); // columns of one length
    };
  };
}

type Sum = { parts: number; minor: Map<string, bigint> };

/** What the values of a dimension have of all conversions. */
class Shares {
  readonly #column: CodedColumn;
  /** By code. */
  readonly #sums = new Map<number, Record<AttributionModel, Sum>>();

  constructor(column: CodedColumn) {
    this.#column = column;
  }

  /** @param codes of the visits that led to a conversion, in the order of time; one at least */
  add(codes: readonly number[], revenue: Money): void {
    const parts = share(CONVERSION_PARTS, codes.length);
    const minor = share(revenue?.minor ?? 0, codes.length);
    const currency = revenue?.currency;
    codes.forEach((code, index) => {
      const sums = this.#sumsOf(code);
      add(sums.linear, parts(index), currency, minor(index));
      if (index === 0) add(sums.first, CONVERSION_PARTS, currency, revenue?.minor ?? 0);
      if (index === codes.length - 1) add(sums.last, CONVERSION_PARTS, currency, revenue?.minor ?? 0);
    });
  }

  toRows(): AttributionAnswer['rows'] {
    return [...this.#sums]
      .map(([code, { first, last, linear }]) => ({
        value: code === 0 ? null : this.#column.text(code),
        first: toShare(first),
        last: toShare(last),
        linear: toShare(linear),
      }))
      .sort((a, b) => b.linear.millionths - a.linear.millionths || compareText(a.value ?? '', b.value ?? ''));
  }

  #sumsOf(code: number): Record<AttributionModel, Sum> {
    const known = this.#sums.get(code);
    if (known) return known;
    const made = Object.fromEntries(
      ATTRIBUTION_MODELS.map((model) => [model, { parts: 0, minor: new Map() }]),
    ) as Record<AttributionModel, Sum>; // one for each
    this.#sums.set(code, made);
    return made;
  }
}

/** Equal shares of a whole number; what is left over goes to the first ones, one each. */
function share(whole: number, count: number): (index: number) => number {
  const each = Math.trunc(whole / count);
  const left = whole - each * count;
  return (index) => each + (index < Math.abs(left) ? Math.sign(left) : 0);
}

function add(sum: Sum, parts: number, currency: string | undefined, minor: number): void {
  sum.parts += parts;
  if (currency !== undefined) sum.minor.set(currency, (sum.minor.get(currency) ?? 0n) + BigInt(minor));
}

function toShare({ parts, minor }: Sum): AttributedShare {
  const revenue = [...minor].map(([currency, sum]) => ({ currency, minor: sum }));
  return { millionths: parts, revenue: revenue.sort((a, b) => compareText(a.currency, b.currency)) };
}
