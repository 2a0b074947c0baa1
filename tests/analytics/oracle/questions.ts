import fc from 'fast-check';
import type { Analytics, FunnelRequest } from '../../../src/analytics/analytics.ts';
import type { PagesRequest } from '../../../src/analytics/interface/pages.ts';
import type { Query } from '../../../src/analytics/interface/query.ts';
import type { Filter } from '../../../src/analytics/interface/selection.ts';
import { type Dimension, METRICS, ONLINE_WINDOW_MS } from '../../../src/vocabulary/analytics.ts';
import {
  breakdown,
  choices,
  dimension,
  filter,
  leaf,
  limit,
  offset,
  range,
  search,
  selection,
  series,
  sortBy,
  websiteKey,
  zonedRange,
} from './selections.ts';
import { seldom, sometimes } from './sometimes.ts';
import { ASKED_KEYS, SESSIONS, VISITORS } from './texts.ts';
import { instant, WEBSITE_KEYS } from './traffic.ts';

type Answering =
  | 'query'
  | 'conditions'
  | 'revenue'
  | 'funnel'
  | 'retention'
  | 'journeys'
  | 'attribution'
  | 'values'
  | 'realtime'
  | 'sessions'
  | 'session'
  | 'visits'
  | 'visitors'
  | 'visitor'
  | 'pages'
  | 'page'
  | 'customEvents'
  | 'propertyKeys'
  | 'propertyValues'
  | 'headlines'
  | 'exportVisitor';
/** The name of a method and its request. */
export type Question = {
  [Ask in Answering]: { ask: Ask; request: Parameters<Analytics[Ask]>[0] };
}[Answering];

const MINUTE_MS = 60_000;

const query = fc
  .tuple(
    selection,
    sometimes<Required<Pick<Query, 'totals' | 'series' | 'breakdowns' | 'withWeights'>>>({
      totals: seldom(5, fc.boolean()),
      series: seldom(4, series),
      breakdowns: seldom(8, fc.array(breakdown, { minLength: 1, maxLength: 3 })),
      withWeights: seldom(2, fc.boolean()),
    }),
  )
  .map(([selected, parts]) => ({ ...selected, ...parts }));

const paged = fc
  .tuple(selection, limit, offset)
  .map(([selected, most, first]) => ({ ...selected, limit: most, offset: first }));
const searched = sometimes<{ search: string }>({ search: seldom(2, search) });
const visitorId = fc.constantFrom(...VISITORS, 'absent');

function asks<Ask extends Answering>(
  ask: Ask,
  request: fc.Arbitrary<Parameters<Analytics[Ask]>[0]>,
): fc.Arbitrary<Question> {
  return request.map((chosen) => ({ ask, request: chosen }) as Question); // a pair of that union
}

/** Conditions that random events often meet. */
const step: fc.Arbitrary<Filter> = fc.constantFrom<Filter[]>(
  { op: 'match', dimension: 'eventType', operator: 'is', values: ['pageview'] },
  { op: 'match', dimension: 'eventType', operator: 'is', values: ['click', 'custom'] },
  { op: 'match', dimension: 'page', operator: 'is', values: ['/'] },
  { op: 'match', dimension: 'page', operator: 'like', values: ['/a**'] },
  { op: 'and', filters: [] },
);

const pagesColumns = [...METRICS, 'entries', 'exits', 'exitRate'] as const;

export const question: fc.Arbitrary<Question> = fc.oneof(
  { weight: 8, arbitrary: asks('query', query) },
  {
    weight: 2,
    arbitrary: asks(
      'conditions',
      fc
        .tuple(
          selection,
          fc.oneof(fc.array(filter, { maxLength: 4 }), fc.array(leaf, { minLength: 33, maxLength: 40 })),
        )
        .map(([selected, conditions]) => ({ ...selected, conditions })),
    ),
  },
  {
    weight: 2,
    arbitrary: asks(
      'revenue',
      fc
        .tuple(
          selection,
          sometimes<{ bounds: readonly number[]; dimension: Dimension; conditions: readonly Filter[] }>({
            bounds: seldom(
              4,
              series.map(({ bounds }) => bounds),
            ),
            dimension: seldom(5, dimension),
            conditions: seldom(3, fc.array(filter, { maxLength: 3 })),
          }),
        )
        .map(([selected, parts]) => ({ ...selected, ...parts })),
    ),
  },
  {
    weight: 2,
    arbitrary: asks(
      'funnel',
      fc
        .tuple(
          selection,
          fc.array(fc.oneof(step, step, filter), { minLength: 2, maxLength: 4 }),
          fc.constantFrom('visit', 'visitor', 'visitor'),
          sometimes<Required<Pick<FunnelRequest, 'isStrict' | 'windowMs' | 'bounds' | 'dimension'>>>({
            isStrict: seldom(4, fc.boolean()),
            windowMs: seldom(4, fc.constantFrom(0, 1_000, 60_000, 1_800_000, 86_400_000)),
            bounds: seldom(
              2,
              series.map(({ bounds }) => bounds),
            ),
            dimension: seldom(3, dimension),
          }),
        )
        .map(([{ traffic, ...selected }, steps, by, chosen]) => ({
          ...selected,
          ...(traffic && traffic !== 'all' && { traffic }),
          steps,
          by: by as FunnelRequest['by'],
          ...chosen,
        })),
    ),
  },
  {
    weight: 2,
    arbitrary: asks(
      'retention',
      fc.tuple(selection, series).map(([{ traffic, ...selected }, { bounds }]) => ({
        ...selected,
        ...(traffic && traffic !== 'all' && { traffic }),
        bounds,
      })),
    ),
  },
  {
    weight: 2,
    arbitrary: asks(
      'journeys',
      fc
        .tuple(
          selection,
          fc.constantFrom('from' as const, 'to' as const),
          sometimes<{ anchor: Filter }>({ anchor: seldom(6, fc.oneof(step, step, filter)) }),
        )
        .map(([selected, direction, chosen]) => ({ ...selected, direction, ...chosen })),
    ),
  },
  {
    weight: 2,
    arbitrary: asks(
      'attribution',
      fc
        .tuple(
          selection,
          fc.oneof(step, step, filter),
          fc.constantFrom('source', 'channel', 'utmCampaign', 'entryPage', 'visitorType'),
          fc.constantFrom(0, 60_000, 1_800_000, 86_400_000, 30 * 86_400_000),
        )
        .map(([selected, condition, on, lookbackMs]) => ({
          ...selected,
          condition,
          dimension: on,
          lookbackMs,
        })),
    ),
  },
  asks(
    'values',
    fc
      .tuple(selection, dimension, limit, searched)
      .map(([selected, on, most, text]) => ({ ...selected, dimension: on, limit: most, ...text })),
  ),
  {
    weight: 2,
    arbitrary: asks(
      'realtime',
      fc
        .tuple(
          websiteKey,
          instant,
          fc.constantFrom(0, ONLINE_WINDOW_MS - 1, ONLINE_WINDOW_MS, MINUTE_MS, 30 * MINUTE_MS),
          limit,
          choices,
        )
        .map(([key, atMs, afterMs, most, chosen]) => ({
          websiteKey: key,
          nowMs: atMs + afterMs,
          limit: most,
          ...chosen,
        })),
    ),
  },
  { weight: 2, arbitrary: asks('sessions', paged) },
  asks('session', fc.record({ websiteKey, sessionId: fc.constantFrom(...SESSIONS, 'none'), limit, offset })),
  {
    weight: 2,
    arbitrary: asks(
      'visits',
      fc
        .tuple(
          paged,
          fc.integer({ min: 0, max: 3 }),
          fc.integer({ min: 1, max: 4 }),
          fc.array(step, { maxLength: 3 }),
        )
        .map(([selected, pageviewsMin, stepsMax, conditions]) => ({
          ...selected,
          pageviewsMin,
          stepsMax,
          conditions,
        })),
    ),
  },
  { weight: 2, arbitrary: asks('visitors', paged) },
  asks('visitor', fc.record({ websiteKey, visitorId, limit, offset })),
  {
    weight: 2,
    arbitrary: asks(
      'pages',
      fc
        .tuple(
          paged,
          sometimes<Required<Pick<PagesRequest, 'sort' | 'search'>>>({
            sort: seldom(6, sortBy(...pagesColumns)),
            search: seldom(1, search),
          }),
        )
        .map(([selected, chosen]) => ({ ...selected, ...chosen })),
    ),
  },
  {
    weight: 2,
    arbitrary: asks(
      'page',
      fc
        .tuple(
          selection,
          fc.constantFrom(
            '/',
            '/a',
            '/a/',
            '/ü',
            '/%c3%bc',
            '/%2fa',
            '/%41',
            'not a%20url',
            '(other)',
            '/nowhere',
          ),
          limit,
        )
        .map(([selected, page, most]) => ({ ...selected, page, limit: most })),
    ),
  },
  asks('customEvents', paged),
  asks('propertyKeys', paged),
  asks(
    'propertyValues',
    fc
      .tuple(paged, fc.constantFrom(...ASKED_KEYS), searched)
      .map(([selected, key, text]) => ({ ...selected, key, ...text })),
  ),
  {
    weight: 2,
    arbitrary: asks(
      'headlines',
      fc
        .tuple(
          fc.oneof(range, zonedRange),
          fc.subarray([...WEBSITE_KEYS, 3]),
          sometimes<{ bounds: readonly number[] }>({
            bounds: seldom(
              5,
              series.map(({ bounds }) => bounds),
            ),
          }),
        )
        .map(([between, websiteKeys, points]) => ({ ...between, websiteKeys, ...points })),
    ),
  },
  asks('exportVisitor', fc.record({ websiteKey, visitorId, limit: fc.constantFrom(1, 2, 1_000) })),
);
