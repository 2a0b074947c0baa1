import type { Breakdown, Query } from '../../../src/analytics/interface/query.ts';
import type { Filter, Selection } from '../../../src/analytics/interface/selection.ts';
import type { TrafficEvent } from '../../../src/demo/traffic-event.ts';
import {
  DIMENSIONS,
  type Dimension,
  FILTER_OPERATORS,
  METRICS,
  TRAFFIC,
} from '../../../src/vocabulary/analytics.ts';
import type { Question } from '../oracle/questions.ts';
import { outcomes } from './outcomes.ts';
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
  RANGES,
  signups,
  today,
  week,
  whole,
} from './selections.ts';
import { END_MS } from './traffic.ts';

/** More than two hundred questions: each method, each dimension, each operator, and ranges that cut days and visits. */

const EVERY_DIMENSION: readonly Dimension[] = [
  ...DIMENSIONS,
  'property:plan',
  'property:order',
  'property:revenue',
];
/** Values for each operator. */
const LEAVES: readonly [Dimension, string[]][] = [
  ['page', ['/', '/pricing']],
  ['source', ['Google', '']],
  ['browser', ['chrome', 'Firefox']],
  ['property:plan', ['pro', 'team']],
];

const COMBINED: readonly Filter[] = [
  { op: 'and', filters: [german, desktop, leaf('browser', ['Chrome'])] },
  { op: 'or', filters: [german, signups] },
  { op: 'not', filter: { op: 'or', filters: [german, entered] } },
  { op: 'and', filters: [leaf('eventType', ['click']), leaf('hostname', ['www.demo.example'])] },
  { op: 'and', filters: [entered, { op: 'not', filter: leaf('exitPage', ['/']) }] },
  { op: 'and', filters: [leaf('page', ['/']), leaf('page', ['/pricing'])] },
  {
    op: 'or',
    filters: [leaf('page', ['/blog'], 'starts_with'), leaf('property:revenue', ['EUR'], 'contains')],
  },
  leaf('channel', ['Paid Search']),
  leaf('utmCampaign', [''], 'is_not'),
];

function toQuery(range: Selection, parts: Omit<Query, keyof Selection>): Question {
  return { ask: 'query', request: { ...range, ...parts } };
}

const totals: Question[] = Object.values(RANGES).flatMap((range) =>
  TRAFFIC.map((traffic) => toQuery({ websiteKey: LARGEST, ...range, traffic }, { totals: true })),
);

const series: Question[] = [undefined, german, signups].flatMap((filter) =>
  [
    { ...month, bounds: bounds(month.fromMs, month.toMs, DAY_MS) },
    { ...everything, bounds: bounds(END_MS - 49 * DAY_MS, END_MS, 7 * DAY_MS) },
    { ...today, bounds: bounds(MIDNIGHT_MS, MIDNIGHT_MS + DAY_MS, HOUR_MS) },
    { ...abroad, bounds: bounds(abroad.fromMs, abroad.toMs, DAY_MS) },
    { ...evening, bounds: bounds(evening.fromMs - 1, evening.toMs + HOUR_MS, 15 * MINUTE_MS) },
    { ...week, bounds: [week.fromMs, week.fromMs + 1, week.fromMs + DAY_MS, week.toMs - 1] },
  ].map(({ bounds, ...range }) =>
    toQuery(
      { websiteKey: LARGEST, ...range, ...(filter && { filter }) },
      { totals: true, series: { bounds } },
    ),
  ),
);

/** Each dimension alone, then with what a panel may ask for, then all of them as a dashboard does. */
const breakdowns: Question[] = [
  ...EVERY_DIMENSION.map((dimension) =>
    toQuery({ websiteKey: LARGEST, ...month }, { breakdowns: [{ dimension, limit: 10 }] }),
  ),
  ...EVERY_DIMENSION.map((dimension, index) =>
    toQuery(
      { ...whole, ...(index % 2 === 0 && { filter: desktop }) },
      { breakdowns: [varied(dimension, index)] },
    ),
  ),
];

/** As a dashboard asks: everything at once. */
const dashboards: Question[] = [
  ...[undefined, german, COMBINED[0], signups].map((filter) => ({
    websiteKey: LARGEST,
    ...month,
    ...(filter && { filter }),
  })),
  ...[2, 3].flatMap((websiteKey) => [month, week, today].map((range) => ({ websiteKey, ...range }))),
].map((selection) =>
  toQuery(selection, {
    totals: true,
    series: { bounds: bounds(selection.fromMs, selection.toMs, DAY_MS) },
    breakdowns: DIMENSIONS.map((dimension) => ({ dimension, limit: 10 })),
  }),
);

function varied(dimension: Dimension, index: number): Breakdown {
  const by = [...METRICS, 'value' as const][index % (METRICS.length + 1)] ?? 'value';
  return {
    dimension,
    limit: 20,
    sort: { by, descending: index % 3 !== 0 },
    withAbsent: index % 2 === 0,
    ...(index % 3 === 1 && { offset: 2 }),
    ...(index % 4 === 3 && { search: 'E' }),
    ...(index % 5 === 2 && { metrics: ['visitors', 'events'] as const }),
  };
}

const filters: Question[] = [
  ...LEAVES.flatMap(([dimension, values]) =>
    FILTER_OPERATORS.filter((operator) => !/^(like|matches)/.test(operator)).map((operator) =>
      leaf(dimension, values, operator),
    ),
  ),
  ...COMBINED,
].map((filter, index) => {
  const breakdown: Breakdown = { dimension: index % 2 === 0 ? 'page' : 'source', limit: 5 };
  const range = { websiteKey: LARGEST, ...(index % 3 === 0 ? everything : abroad) };
  return toQuery({ ...range, filter }, { totals: true, breakdowns: [breakdown] });
});

const values: Question[] = [
  ...(['page', 'source', 'event', 'country', 'property:file', 'hostname'] as const).map(
    (dimension): Question => ({ ask: 'values', request: { ...whole, dimension, limit: 12 } }),
  ),
  ...(['page', 'browser', 'property:query'] as const).map(
    (dimension): Question => ({
      ask: 'values',
      request: { ...whole, dimension, search: 'R', limit: 12, filter: german },
    }),
  ),
  ...(['entryPage', 'os'] as const).map(
    (dimension): Question => ({
      ask: 'values',
      request: { websiteKey: 2, ...month, dimension, limit: 5, traffic: 'bots' },
    }),
  ),
];

const realtime: Question[] = [
  { nowMs: END_MS },
  { nowMs: END_MS - 45 * MINUTE_MS, filter: desktop },
  { nowMs: MIDNIGHT_MS + 7 * MINUTE_MS, traffic: 'all' as const },
  { nowMs: END_MS - 10 * HOUR_MS, websiteKey: 2 },
  { nowMs: END_MS, filter: signups },
].map((request) => ({ ask: 'realtime', request: { websiteKey: LARGEST, limit: 10, ...request } }));

const SELECTIONS: readonly Selection[] = [
  { websiteKey: LARGEST, ...month },
  { ...whole, filter: COMBINED[1] ?? german },
  { websiteKey: LARGEST, ...evening, traffic: 'all' },
  { websiteKey: 2, ...everything, traffic: 'bots' },
  { websiteKey: 3, ...week, filter: { op: 'not', filter: entered } },
];

const lists: Question[] = SELECTIONS.flatMap((selection): Question[] => {
  const request = { ...selection, limit: 20, offset: selection.filter ? 3 : 0 };
  return [
    { ask: 'sessions', request },
    { ask: 'visitors', request },
    { ask: 'pages', request },
    { ask: 'customEvents', request },
    { ask: 'propertyKeys', request },
  ];
});

const pages: Question[] = [
  ...(['entries', 'exits', 'exitRate', 'bounceRate', 'value'] as const).map(
    (by): Question => ({
      ask: 'pages',
      request: { ...whole, sort: { by, descending: by !== 'value' }, search: 'o', limit: 10, offset: 0 },
    }),
  ),
  ...['/', '/pricing', '/nowhere'].map(
    (page): Question => ({ ask: 'page', request: { websiteKey: LARGEST, ...month, page, limit: 10 } }),
  ),
  { ask: 'page', request: { ...whole, page: '/', limit: 10, filter: german } },
  { ask: 'page', request: { websiteKey: 2, ...everything, page: '/docs', limit: 3, traffic: 'all' } },
  { ask: 'page', request: { websiteKey: LARGEST, ...evening, page: '/', limit: 10 } },
];

const properties: Question[] = ['plan', 'revenue', 'order', 'seats', 'nothing'].map((key) => ({
  ask: 'propertyValues',
  request: { ...whole, key, limit: 10, offset: 0, ...(key === 'order' && { search: 'pm-1' }) },
}));

const headlines: Question[] = [month, today, abroad].flatMap((range): Question[] => [
  { ask: 'headlines', request: { ...range, websiteKeys: [3, 1, 2, 9] } },
  {
    ask: 'headlines',
    request: { ...range, websiteKeys: [1, 2], bounds: bounds(range.fromMs, range.toMs, DAY_MS) },
  },
]);

/** A frequent visitor, one who came once, and an unknown one. */
function people(traffic: readonly TrafficEvent[]): Question[] {
  const largest = traffic.filter(({ website }) => website === LARGEST - 1);
  const groups = [...Map.groupBy(largest, ({ visitorId }) => visitorId).values()];
  const often = groups.reduce((most, group) => (group.length > most.length ? group : most));
  const once = groups.find((group) => group.length === 1) ?? often;
  const [most, single] = [often, once].map((group) => group[0]);
  const visitorIds = [most?.visitorId ?? '', single?.visitorId ?? '', 'nobody'];
  const sessionIds = [most?.sessionId ?? '', single?.sessionId ?? '', 'none'];
  return [
    ...sessionIds.map(
      (sessionId, index): Question => ({ ask: 'session', request: { ...pageOf(index), sessionId } }),
    ),
    ...visitorIds.map(
      (visitorId, index): Question => ({ ask: 'visitor', request: { ...pageOf(index), visitorId } }),
    ),
    ...visitorIds.map(
      (visitorId): Question => ({
        ask: 'exportVisitor',
        request: { websiteKey: LARGEST, visitorId, limit: 50 },
      }),
    ),
  ];
}

/** The second page of the first visitor, who came often. */
function pageOf(index: number) {
  return { websiteKey: LARGEST, limit: 20, offset: index === 0 ? 20 : 0 };
}

export function listQuestions(traffic: readonly TrafficEvent[]): Question[] {
  const about = [
    totals,
    series,
    breakdowns,
    dashboards,
    filters,
    values,
    realtime,
    lists,
    pages,
    properties,
    headlines,
    outcomes,
  ];
  return [...about.flat(), ...people(traffic)];
}
