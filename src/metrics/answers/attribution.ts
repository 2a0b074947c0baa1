import type { Analytics, AttributedShare } from '../../analytics/analytics.ts';
import type { Attribution } from '../../contract/metrics-attribution.ts';
import { CONVERSION_PARTS } from '../../vocabulary/analytics.ts';
import { toAmount } from '../../vocabulary/money.ts';
import type { AskedAttribution } from '../question/attribution.ts';
import { toRange } from './wire.ts';

export async function answerAttribution(
  analytics: Analytics,
  { asked, goalId, dimension, lookbackDays, limit, request }: AskedAttribution,
): Promise<Attribution> {
  const { conversions, rows } = await analytics.attribution(request);
  return {
    range: toRange(asked.range),
    goal: goalId,
    dimension,
    lookbackDays,
    conversions,
    total: rows.length,
    rows: rows.slice(0, limit).map(({ value, first, last, linear }) => ({
      value,
      first: toShare(first),
      last: toShare(last),
      linear: toShare(linear),
    })),
  };
}

function toShare({ millionths, revenue }: AttributedShare): Attribution['rows'][number]['first'] {
  return {
    conversions: millionths / CONVERSION_PARTS,
    revenue: revenue.map(({ currency, minor }) => ({ currency, amount: toAmount(minor, currency) })),
  };
}
