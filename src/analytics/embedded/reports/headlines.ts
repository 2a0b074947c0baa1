import type { Headline, HeadlinesRequest } from '../../analytics.ts';
import type { Source } from '../query/source.ts';
import { answerQuery } from './query.ts';

/** Counts visitors, visits and pageviews of people on one website, and with bounds the visitors of each bucket. */
export function answerHeadline(
  websiteKey: number,
  { fromMs, toMs, bounds }: Omit<HeadlinesRequest, 'websiteKeys'>,
  source: Source,
): Headline {
  const { totals, series } = answerQuery(
    { websiteKey, fromMs, toMs, totals: true, ...(bounds && { series: { bounds } }) },
    source,
  );
  return {
    websiteKey,
    visitors: totals?.visitors ?? 0,
    visits: totals?.visits ?? 0,
    pageviews: totals?.pageviews ?? 0,
    ...(series && { points: series.map(({ visitors }) => visitors) }),
  };
}
