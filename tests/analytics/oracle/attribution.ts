import type {
  AttributedShare,
  AttributionAnswer,
  AttributionRequest,
  AttributionRow,
} from '../../../src/analytics/analytics.ts';
import { compareTexts } from './breakdown.ts';
import type { NaiveLog } from './log.ts';
import { readMoney } from './revenue.ts';
import { dimensionOf, type Match, narrow, select } from './selection.ts';
import type { NaiveVisit } from './visits.ts';

type Touch = { value: string | null; match: Match };

export function attribute(log: NaiveLog, request: AttributionRequest): AttributionAnswer {
  const { condition, dimension, lookbackMs, ...selection } = request;
  const conversions = select(log, narrow(selection, condition));
  const { websiteKey, traffic = 'people' } = selection;
  const all = select(log, { websiteKey, traffic, fromMs: -Infinity, toMs: Infinity });
  const firsts = [...Map.groupBy(all, ({ visit }) => visit).values()].flatMap(([match]) => match ?? []);
  const rows = new Map<string | null, AttributionRow>();
  for (const conversion of conversions) {
    const touches = firsts
      .filter(({ visit }) => keyOf(visit.first) === keyOf(conversion.visit.first))
      .filter((match) => isUpTo(match, conversion))
      .filter(
        ({ visit }) =>
          keyOf(visit) === keyOf(conversion.visit) ||
          visit.startMs >= conversion.event.createdAtMs - lookbackMs,
      )
      .slice(-100)
      .map((match): Touch => ({ value: dimensionOf(match, dimension) || null, match }));
    const money = readMoney(conversion.properties.get('revenue')?.text ?? '');
    touches.forEach(({ value }, index) => {
      const row = rows.get(value) ?? { value, first: none(), last: none(), linear: none() };
      rows.set(value, row);
      if (index === 0) add(row.first, 1_000_000, money, money?.minor);
      if (index === touches.length - 1) add(row.last, 1_000_000, money, money?.minor);
      add(
        row.linear,
        Number(shareOf(1_000_000n, touches.length, index)),
        money,
        money && shareOf(money.minor, touches.length, index),
      );
    });
  }
  return {
    conversions: conversions.length,
    rows: [...rows.values()].sort(
      (a, b) => b.linear.millionths - a.linear.millionths || compareTexts(a.value, b.value),
    ),
  };
}

/** A visit is found twice, and known by its first event. */
function keyOf({ events: [first] }: NaiveVisit): number | undefined {
  return first?.event.key;
}

/** Visits of one visitor and class do not overlap; those of the same instant are in the order of their events. */
function isUpTo(match: Match, { visit }: Match): boolean {
  const [first] = visit.events;
  if (!first) return false;
  const { event } = match;
  return (event.createdAtMs - first.event.createdAtMs || event.key - first.event.key) <= 0;
}

/** Gives the remainder to the first ones, one unit each. */
function shareOf(whole: bigint, count: number, index: number): bigint {
  const [each, left] = [whole / BigInt(count), whole % BigInt(count)];
  const size = left < 0n ? -left : left;
  return BigInt(index) < size ? each + left / size : each;
}

function none(): AttributedShare {
  return { millionths: 0, revenue: [] };
}

function add(
  share: AttributedShare,
  millionths: number,
  money: { currency: string } | undefined,
  minor: bigint | undefined,
): void {
  share.millionths += millionths;
  if (!money || minor === undefined) return;
  const sum = share.revenue.find(({ currency }) => currency === money.currency);
  if (sum) sum.minor += minor;
  else share.revenue.push({ currency: money.currency, minor });
  share.revenue.sort((a, b) => compareTexts(a.currency, b.currency));
}
