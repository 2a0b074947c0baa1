import { ATTRIBUTED_VISITS_MAX } from '../../../vocabulary/analytics.ts';
import type { AttributionAnswer, AttributionRequest } from '../../analytics.ts';
import { openColumn } from '../query/coded-column.ts';
import { Conditions } from '../query/conditions.ts';
import { eachHit } from '../query/matches.ts';
import { Scan } from '../query/scan.ts';
import { segmentsIn } from '../query/segments-in.ts';
import type { Source } from '../query/source.ts';
import type { Segment } from '../segment/segment.ts';
import { createMoneyReader } from './money.ts';
import { type Money, Shares } from './shares.ts';

/** Attributes conversions to visits: finds the conversions, then walks the visits of the visitors who converted. */
export function answerAttribution(request: AttributionRequest, source: Source): AttributionAnswer {
  const conversions = findConversions(request, source);
  const shares = new Shares(openColumn(request.dimension, source), source.arena);
  if (conversions.visits.length > 0) walkVisits(request, conversions, shares, source);
  return { conversions: conversions.visits.length, rows: shares.toRows() };
}

/** The conversions as columns, in the order of their visits. */
type Conversions = {
  /** Visit numbers within the whole website, in the order of its segments. */
  visits: number[];
  atMs: number[];
  money: (Money | undefined)[];
  /** Visitor code → number of the converted visitor, 1, 2, …; 0 for visitors without a conversion. */
  converters: Uint32Array;
  converterCount: number;
};

const CLASS_BITS = 2;
const VISIT_NUMBERS = 2 ** 16;

function findConversions(request: AttributionRequest, source: Source): Conversions {
  const met = new Conditions([request.condition], source, new Map());
  const converters = source.arena.u32(source.website.dictionaries.visitors.count + 1);
  const found: Conversions = { visits: [], atMs: [], money: [], converters, converterCount: 0 };
  const revenueOf = createRevenueReader(source);
  const numbers = numberSegments(source);
  new Scan(request, source).run((vector) => {
    const { segment } = vector;
    const words = met.meet(segment);
    if (!words) return;
    const atMs = segment.column('atMs');
    const visitor = segment.column('visitor');
    const moneyAt = revenueOf(segment);
    const firstNumber = numbers.get(segment) ?? 0;
    eachHit(vector, (event, visit) => {
      if (words[event] === 0) return;
      const code = visitor[visit] as number;
      if (converters[code] === 0) converters[code] = found.converterCount += 1;
      found.visits.push(firstNumber + visit);
      found.atMs.push(segment.dayMs + (atMs[event] as number));
      found.money.push(moneyAt(event));
    });
  });
  return found;
}

/** Walks visits in order of time, linking each to the previous visit of the same visitor and class. */
function walkVisits(
  { fromMs, toMs, lookbackMs, dimension }: AttributionRequest,
  { visits, atMs, money, converters, converterCount }: Conversions,
  shares: Shares,
  source: Source,
): void {
  const { website, pool, arena } = source;
  const column = openColumn(dimension, source);
  const numbers = numberSegments(source);
  const segments = segmentsIn(website.segments, fromMs - lookbackMs, toMs);
  // A row for each visit; row 0 means none.
  const room = 1 + segments.reduce((sum, { visitCount }) => sum + visitCount, 0);
  const before = arena.u32(room);
  const startMs = arena.f64(room);
  const code = arena.u32(room);
  /** Latest row, by converter and class. */
  const latest = arena.u32((converterCount + 1) << CLASS_BITS);
  let row = 0;
  let conversion = 0;
  for (const segment of segments) pool.use(segment, () => walk(segment));

  function walk(segment: Segment): void {
    const firstNumber = numbers.get(segment) ?? 0;
    const visitor = segment.column('visitor');
    const classes = segment.column('class');
    const start = segment.column('startMs');
    const local = column.local(segment);
    const codes = column.codes(segment);
    for (let visit = 0; visit < segment.visitCount; visit += 1) {
      const converter = converters[visitor[visit] as number] as number;
      if (converter === 0) continue;
      const person = (converter << CLASS_BITS) | (classes[visit] as number);
      row += 1;
      before[row] = latest[person] as number;
      latest[person] = row;
      startMs[row] = segment.dayMs + (start[visit] as number);
      code[row] = codes[local[visit] as number] as number;
      for (; visits[conversion] === firstNumber + visit; conversion += 1) attribute();
    }
  }

  /** Attributes a conversion to its own visit and to earlier visits within the lookback window. */
  function attribute(): void {
    const earliestMs = (atMs[conversion] as number) - lookbackMs;
    let length = 0;
    let at = row;
    do {
      shares.path[length] = code[at] as number;
      length += 1;
      at = before[at] as number;
    } while (at !== 0 && length < ATTRIBUTED_VISITS_MAX && (startMs[at] as number) >= earliestMs);
    shares.add(length, money[conversion]);
  }
}

function numberSegments({ website }: Source): Map<Segment, number> {
  return new Map(website.segments.map((segment, index) => [segment, index * VISIT_NUMBERS]));
}

/** Returns a reader of the revenue of an event of a segment. */
function createRevenueReader(source: Source): (segment: Segment) => (event: number) => Money | undefined {
  const readMoney = createMoneyReader(source);
  return (segment) => {
    const money = readMoney(segment);
    if (!money) return () => undefined;
    const { events, values, currency, currencies, minor } = money;
    const rows = new Map(Array.from(events, (event, row) => [event, row]));
    return (event) => {
      const row = rows.get(event);
      if (row === undefined) return undefined;
      const value = values[row] as number;
      const code = currencies[currency[value] as number] as string;
      return code === '' ? undefined : { currency: code, minor: minor[value] as number };
    };
  };
}
