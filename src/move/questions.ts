import type { Analytics, QuestionName } from '../analytics/analytics.ts';
import type { Filter, Selection } from '../analytics/interface/selection.ts';
import type { Holding } from '../log/event-pages.ts';
import { DIMENSIONS, type Dimension, type FilterOperator } from '../vocabulary/analytics.ts';
import { DAY_MS } from '../vocabulary/durations.ts';

/** Query to compare two engines with; `name` describes it for people. */
export type MoveQuestion = { name: string; ask: (analytics: Analytics) => Promise<unknown> };

type AskedRange = Required<Pick<Selection, 'websiteKey' | 'fromMs' | 'toMs'>>;
type Kind = readonly [name: string, ask: (analytics: Analytics, asked: AskedRange) => Promise<unknown>];

const ROWS = 100;
const MONTH_DAYS = 30;
const LIST = { limit: ROWS, offset: 0 };
const LOOKBACK_MS = 7 * DAY_MS;

const PAGEVIEW = match('eventType', 'is', 'pageview');
const CUSTOM = match('eventType', 'is', 'custom');
const FILTERS: readonly Filter[] = [
  match('deviceType', 'is', 'mobile'),
  match('channel', 'is_not', 'Direct'),
  match('page', 'like', '/*'),
  match('visitorType', 'is', 'new'),
  { op: 'has_done', filter: CUSTOM },
  { op: 'first_visit', filter: match('entryPage', 'starts_with', '/') },
];

/** Kinds of each question, except those about one value, which would have to be known first. */
const KINDS_BY_QUESTION: Partial<Record<QuestionName | 'headlines', readonly Kind[]>> = {
  query: [
    ...DIMENSIONS.map(
      (dimension): Kind => [
        `breakdown by ${dimension}`,
        (analytics, asked) => analytics.query({ ...asked, breakdowns: [{ dimension, limit: ROWS }] }),
      ],
    ),
    ...FILTERS.map(
      (filter): Kind => [
        `totals and days where ${JSON.stringify(filter)}`,
        (analytics, asked) =>
          analytics.query({ ...asked, filter, totals: true, series: { bounds: daysOf(asked) } }),
      ],
    ),
    [
      'totals and days of all traffic',
      (analytics, asked) =>
        analytics.query({ ...asked, traffic: 'all', totals: true, series: { bounds: daysOf(asked) } }),
    ],
    ['totals of bots', (analytics, asked) => analytics.query({ ...asked, traffic: 'bots', totals: true })],
  ],
  conditions: [['conditions', (analytics, asked) => analytics.conditions({ ...asked, conditions: FILTERS })]],
  revenue: [
    [
      'revenue',
      (analytics, asked) => analytics.revenue({ ...asked, bounds: daysOf(asked), dimension: 'source' }),
    ],
  ],
  funnel: [
    [
      'funnel',
      (analytics, asked) =>
        analytics.funnel({ ...asked, by: 'visitor', steps: [PAGEVIEW, PAGEVIEW, CUSTOM] }),
    ],
  ],
  retention: [['retention', (analytics, asked) => analytics.retention({ ...asked, bounds: daysOf(asked) })]],
  journeys: [['journeys', (analytics, asked) => analytics.journeys({ ...asked, direction: 'from' })]],
  attribution: [
    [
      'attribution',
      (analytics, asked) =>
        analytics.attribution({ ...asked, condition: CUSTOM, dimension: 'source', lookbackMs: LOOKBACK_MS }),
    ],
  ],
  sessions: [['sessions', (analytics, asked) => analytics.sessions({ ...asked, ...LIST })]],
  visitors: [['visitors', (analytics, asked) => analytics.visitors({ ...asked, ...LIST })]],
  pages: [['pages', (analytics, asked) => analytics.pages({ ...asked, ...LIST })]],
  customEvents: [['custom events', (analytics, asked) => analytics.customEvents({ ...asked, ...LIST })]],
  propertyKeys: [['property keys', (analytics, asked) => analytics.propertyKeys({ ...asked, ...LIST })]],
  headlines: [
    [
      'totals of the website',
      (analytics, { websiteKey, ...range }) => analytics.headlines({ websiteKeys: [websiteKey], ...range }),
    ],
  ],
};

/** A prime number of kinds, so that each comes with other websites and days when they are taken in turn. */
const KINDS: readonly Kind[] = Object.values(KINDS_BY_QUESTION).flat();

/** Ranges of the days of a website: one day and thirty days at each end and in the middle. */
const RANGES: readonly { days: number; at: number }[] = [1, MONTH_DAYS].flatMap((days) =>
  [1, 0, 0.5].map((at) => ({ days, at })),
);

/** So many questions, spread over the websites, over what can be asked and over time. */
export function listQuestions(holdings: readonly Holding[], count: number): MoveQuestion[] {
  return Array.from({ length: count }, (_, index) => {
    const holding = pick(holdings, index);
    const [name, ask] = pick(KINDS, index);
    const asked = toAskedRange(holding, pick(RANGES, Math.floor(index / KINDS.length)));
    const range = [asked.fromMs, asked.toMs].map((ms) => new Date(ms).toISOString()).join(' to ');
    return {
      name: `${name}, website ${holding.websiteKey}, ${range}`,
      ask: (analytics) => ask(analytics, asked),
    };
  });
}

/** In whole UTC days. */
function toAskedRange(
  { websiteKey, fromMs, toMs }: Holding,
  { days, at }: { days: number; at: number },
): AskedRange {
  const [first, end] = [Math.floor(fromMs / DAY_MS), Math.ceil(toMs / DAY_MS)];
  const start = Math.round(first + at * Math.max(0, end - first - days));
  return { websiteKey, fromMs: start * DAY_MS, toMs: Math.min(start + days, end) * DAY_MS };
}

function daysOf({ fromMs, toMs }: AskedRange): number[] {
  return Array.from({ length: (toMs - fromMs) / DAY_MS + 1 }, (_, day) => fromMs + day * DAY_MS);
}

function match(dimension: Dimension, operator: FilterOperator, value: string): Filter {
  return { op: 'match', dimension, operator, values: [value] };
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
}
