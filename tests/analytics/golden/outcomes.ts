import type { FunnelRequest } from '../../../src/analytics/analytics.ts';
import type { Filter } from '../../../src/analytics/interface/selection.ts';
import type { Question } from '../oracle/questions.ts';
import {
  abroad,
  bounds,
  DAY_MS,
  desktop,
  entered,
  evening,
  everything,
  german,
  HOUR_MS,
  LARGEST,
  leaf,
  MIDNIGHT_MS,
  MINUTE_MS,
  month,
  signups,
  week,
  whole,
} from './selections.ts';
import { END_MS } from './traffic.ts';

/** Goals as conditions, what they brought, funnels, who came again, journeys, and which visits led there. */

const largest = { websiteKey: LARGEST, ...month };
const days = bounds(month.fromMs, month.toMs, DAY_MS);
const weeks = bounds(END_MS - 49 * DAY_MS, END_MS, 7 * DAY_MS);

const pageviews = leaf('eventType', ['pageview']);
const outbound = both(leaf('eventType', ['click']), leaf('property:type', ['outbound']));
const purchases = leaf('event', ['purchase']);
const pricing = both(pageviews, leaf('page', ['/pricing']));
const read = both(pageviews, leaf('page', ['/blog/**'], 'like'));
const goals = [
  purchases,
  outbound,
  read,
  both(signups, leaf('property:plan', ['pro', 'team'])),
  both(pageviews, leaf('page', ['/*'], 'like')),
  leaf('page', ['^/(docs|blog)/'], 'matches'),
];

function both(...filters: Filter[]): Filter {
  return { op: 'and', filters };
}

const cameInFebruary: Filter = {
  op: 'first_seen',
  fromMs: Date.UTC(2026, 1, 1),
  toMs: Date.UTC(2026, 2, 1),
};
const cameBySearch: Filter = { op: 'first_visit', filter: leaf('channel', ['Organic Search']) };
const bought: Filter = { op: 'has_done', filter: purchases };

const conditions: Question[] = [
  largest,
  { ...whole, filter: german },
  { websiteKey: LARGEST, ...evening, traffic: 'all' as const },
  { ...largest, filter: both(cameInFebruary, { op: 'not', filter: bought }) },
  { ...largest, filter: leaf('visitorType', ['returning']) },
].map((selection) => ({ ask: 'conditions', request: { ...selection, conditions: goals } }));

const revenue: Question[] = [
  { ...largest, conditions: goals },
  { ...whole, filter: cameBySearch, bounds: weeks, dimension: 'source' as const },
  { ...largest, dimension: 'visitorType' as const },
  { websiteKey: 2, ...everything, dimension: 'property:order' as const, filter: purchases },
].map((request) => ({ ask: 'revenue', request }));

const STEPS: Filter[] = [
  leaf('page', ['/']),
  { op: 'or', filters: [pricing, read] },
  { op: 'or', filters: [signups, purchases] },
];
const funnels: Question[] = [
  { ...largest, by: 'visitor' as const, bounds: days },
  { ...largest, by: 'visit' as const, dimension: 'source' as const },
  { ...largest, by: 'visitor' as const, windowMs: 30 * MINUTE_MS, dimension: 'page' as const },
  {
    ...whole,
    by: 'visitor' as const,
    windowMs: 7 * DAY_MS,
    bounds: weeks,
    dimension: 'visitorType' as const,
  },
  { ...whole, by: 'visit' as const, isStrict: true, filter: desktop },
  { websiteKey: 2, ...everything, by: 'visitor' as const, traffic: 'bots' as const },
  { ...largest, by: 'visitor' as const, steps: [pageviews, pageviews, pageviews, pageviews] },
].map((chosen: Omit<FunnelRequest, 'steps'>) => ({ ask: 'funnel', request: { steps: STEPS, ...chosen } }));

const retention: Question[] = [
  { ...whole, bounds: weeks },
  { ...whole, filter: german, bounds: days },
  {
    websiteKey: LARGEST,
    ...abroad,
    bounds: bounds(abroad.fromMs, abroad.toMs, DAY_MS),
    filter: cameBySearch,
  },
  { websiteKey: 2, ...week, bounds: bounds(week.fromMs - HOUR_MS, MIDNIGHT_MS, DAY_MS) },
].map((request) => ({ ask: 'retention', request }));

const journeys: Question[] = [
  { ...largest, direction: 'from' as const },
  { ...largest, direction: 'to' as const, filter: pageviews },
  { ...whole, direction: 'from' as const, anchor: pricing },
  { ...whole, direction: 'to' as const, anchor: purchases, filter: desktop },
  { websiteKey: LARGEST, ...evening, direction: 'from' as const, anchor: entered, traffic: 'all' as const },
].map((request) => ({ ask: 'journeys', request }));

const attribution: Question[] = [
  { ...whole, condition: purchases, dimension: 'source' as const, lookbackMs: 30 * DAY_MS },
  { ...largest, condition: purchases, dimension: 'channel' as const, lookbackMs: 365 * DAY_MS },
  { ...largest, condition: signups, dimension: 'utmCampaign' as const, lookbackMs: DAY_MS },
  { ...whole, condition: outbound, dimension: 'source' as const, lookbackMs: 7 * DAY_MS, filter: german },
].map((request) => ({ ask: 'attribution', request }));

export const outcomes: Question[] = [conditions, revenue, funnels, retention, journeys, attribution].flat();
