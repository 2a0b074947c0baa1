import type { Analytics } from '../../analytics/analytics.ts';
import type { BreakdownAnswer } from '../../analytics/interface/query.ts';
import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import type { CountedGoal } from '../../goals/service.ts';
import type { NamedDimension } from '../../vocabulary/analytics.ts';
import { isOfEvents, narrow } from './conversions.ts';
import { ofValues, toValueMap } from './values.ts';
import { changeOf, NO_FIGURES } from './wire.ts';

/**
 * Finds what changed between two ranges, by the rule in docs/definitions.md: at most one row that explains the change of the
 * visitors, one that explains the change of the goal's rate, and one that is new or gone.
 */

/** Dimensions that rows are looked for in; on equal weight the first one wins. */
const DIMENSIONS = [
  'utmCampaign',
  'source',
  'page',
  'country',
  'deviceType',
] as const satisfies NamedDimension[];
/** Rows of each dimension and range, those with most visitors. */
const ROWS_MAX = 200;
/** Visitors, or converters, below which a row varies by chance. */
const PEOPLE_MIN = 10;
/** Standard deviations that a difference must exceed. */
const DEVIATIONS = 2;
/** Part of the earlier figure that a change of the total must exceed. */
const PART_MIN = 0.02;

/** Part of all visitors above which a row is as good as all of them. */
const PART_MAX = 0.8;

export type Finding = {
  kind: 'visitors' | 'goalRate' | 'new' | 'gone';
  dimension: (typeof DIMENSIONS)[number];
  value: string | null;
  now: number;
  before: number;
  change: number | null;
  contribution: number | null;
};

type Pair = { dimension: Finding['dimension']; value: string | null; now: Counts; before: Counts };
type Counts = { visitors: number; converters: number };
type Totals = { now: Counts; before: Counts };

export async function findChanges(
  analytics: Analytics,
  selections: { now: Selection; before: Selection },
  goal: CountedGoal | undefined,
  /** Whether the caller may not see a dimension. */
  isHidden: (dimension: NamedDimension) => boolean,
): Promise<{ totals: Totals; findings: Finding[] }> {
  const dimensions = DIMENSIONS.filter((dimension) => !isHidden(dimension));
  const [now, before] = await Promise.all(
    [selections.now, selections.before].map((selection) => countRows(analytics, selection, dimensions, goal)),
  );
  const totals = { now: now?.totals ?? NO_COUNTS, before: before?.totals ?? NO_COUNTS };
  // Without an earlier figure every row would be new.
  if (totals.before.visitors === 0 || !now || !before) return { totals, findings: [] };
  const pairs = dimensions.flatMap((dimension, index) =>
    pair(dimension, now.lists[index], before.lists[index]),
  );
  const parts = pairs.filter((each) => !isNearlyAll(each, totals));
  const ofVisitors = findContributor(parts, totals);
  const ofGoal = goal && findRateContributor(parts, totals);
  const appeared = findAppeared(pairs.filter((each) => each.value !== ofVisitors?.value));
  return { totals, findings: [ofVisitors, ofGoal, appeared].filter((finding) => finding !== undefined) };
}

const NO_COUNTS: Counts = { visitors: 0, converters: 0 };
type Counted = ReadonlyMap<string | null, Counts>;

async function countRows(
  analytics: Analytics,
  selection: Selection,
  dimensions: readonly Finding['dimension'][],
  goal: CountedGoal | undefined,
) {
  const breakdowns = dimensions.map((dimension) => ({
    dimension,
    limit: ROWS_MAX,
    withAbsent: dimension === 'source',
    metrics: ['visitors'] as const,
  }));
  const answer = await analytics.query({ ...selection, totals: true, breakdowns });
  const { totals = NO_FIGURES, breakdowns: lists = [] } = answer;
  const { converters, ofRows } = goal
    ? await countConverters(analytics, selection, goal, lists)
    : { converters: 0, ofRows: [] };
  return {
    totals: { visitors: totals.visitors, converters },
    lists: lists.map(
      ({ rows }, index): Counted =>
        new Map(
          rows.map(({ value, visitors }) => [
            value,
            { visitors, converters: ofRows[index]?.get(value)?.visitors ?? 0 },
          ]),
        ),
    ),
  };
}

/**
 * Counts who reached the goal, of all and of each row: in a visit that has the row's value. Two questions, for visitors
 * alone: one by values of visits, one by values of events.
 */
async function countConverters(
  analytics: Analytics,
  selection: Selection,
  { condition }: CountedGoal,
  lists: readonly BreakdownAnswer[],
) {
  const ask = (filter: Filter, isAsked: (list: BreakdownAnswer) => boolean) =>
    analytics.query({
      ...narrow(selection, filter),
      totals: true,
      breakdowns: lists
        .filter((list) => isAsked(list) && list.rows.length > 0)
        .map(({ dimension, rows }) => ({ ...ofValues(dimension, rows), metrics: ['visitors'] as const })),
    });
  const [ofVisits, ofEvents] = await Promise.all([
    ask(condition, ({ dimension }) => !isOfEvents(dimension)),
    ask({ op: 'has_done', filter: condition }, ({ dimension }) => isOfEvents(dimension)),
  ]);
  const found = [...(ofVisits.breakdowns ?? []), ...(ofEvents.breakdowns ?? [])];
  return {
    converters: ofVisits.totals?.visitors ?? 0,
    ofRows: lists.map((list) => toValueMap(found.find(({ dimension }) => dimension === list.dimension))),
  };
}

/** Pairs the rows of two ranges. A row that one of them may have beyond ROWS_MAX is left out. */
function pair(dimension: Pair['dimension'], now: Counted = new Map(), before: Counted = new Map()): Pair[] {
  const values = [...new Set([...now.keys(), ...before.keys()])];
  return values.flatMap((value) => {
    const isUnknown =
      (!now.has(value) && now.size >= ROWS_MAX) || (!before.has(value) && before.size >= ROWS_MAX);
    if (isUnknown) return [];
    return [{ dimension, value, now: now.get(value) ?? NO_COUNTS, before: before.get(value) ?? NO_COUNTS }];
  });
}

/** Whether a row has most of the visitors of both ranges, and so explains nothing. */
function isNearlyAll({ now, before }: Pair, totals: Totals): boolean {
  return now.visitors > PART_MAX * totals.now.visitors && before.visitors > PART_MAX * totals.before.visitors;
}

/** Whether two counts differ by more than chance: by two deviations of a Poisson distribution. */
function isAboveNoise(now: number, before: number): boolean {
  return Math.max(now, before) >= PEOPLE_MIN && Math.abs(now - before) > DEVIATIONS * Math.sqrt(now + before);
}

function findContributor(pairs: readonly Pair[], totals: Totals): Finding | undefined {
  const total = totals.now.visitors - totals.before.visitors;
  const isChange =
    isAboveNoise(totals.now.visitors, totals.before.visitors) &&
    Math.abs(total) > PART_MIN * totals.before.visitors;
  const candidates = pairs.filter(({ now, before }) => {
    const isAway = now.visitors === 0 || before.visitors === 0;
    const isSame = !isChange || Math.sign(now.visitors - before.visitors) === Math.sign(total);
    return !isAway && isSame && isAboveNoise(now.visitors, before.visitors);
  });
  const largest = largestOf(candidates, ({ now, before }) => Math.abs(now.visitors - before.visitors));
  if (!largest) return undefined;
  const { dimension, value, now, before } = largest;
  return {
    kind: 'visitors',
    dimension,
    value,
    now: now.visitors,
    before: before.visitors,
    change: changeOf(now.visitors, before.visitors),
    contribution: isChange ? (now.visitors - before.visitors) / total : null,
  };
}

const rateOf = ({ visitors, converters }: Counts) => (visitors === 0 ? 0 : converters / visitors);

/** Whether two rates differ by more than chance: by two deviations of the difference of two shares. */
function isRateAboveNoise(now: Counts, before: Counts): boolean {
  if (Math.max(now.converters, before.converters) < PEOPLE_MIN || now.visitors === 0 || before.visitors === 0)
    return false;
  const shared = (now.converters + before.converters) / (now.visitors + before.visitors);
  const deviation = Math.sqrt(shared * (1 - shared) * (1 / now.visitors + 1 / before.visitors));
  return Math.abs(rateOf(now) - rateOf(before)) > DEVIATIONS * deviation;
}

function findRateContributor(pairs: readonly Pair[], totals: Totals): Finding | undefined {
  const total = rateOf(totals.now) - rateOf(totals.before);
  const isChange = isRateAboveNoise(totals.now, totals.before);
  /** The part of the rate of all that the row's converters make up, and its change. */
  const partOf = ({ now, before }: Pair) =>
    now.converters / totals.now.visitors - before.converters / totals.before.visitors;
  const candidates = pairs.filter((each) => {
    const difference = rateOf(each.now) - rateOf(each.before);
    const isSame = !isChange || Math.sign(difference) === Math.sign(total);
    return isSame && isRateAboveNoise(each.now, each.before);
  });
  const largest = largestOf(candidates, (each) => Math.abs(partOf(each)));
  if (!largest) return undefined;
  const { dimension, value, now, before } = largest;
  return {
    kind: 'goalRate',
    dimension,
    value,
    now: rateOf(now),
    before: rateOf(before),
    change: changeOf(rateOf(now), rateOf(before)),
    contribution: isChange && total !== 0 ? partOf(largest) / total : null,
  };
}

function findAppeared(pairs: readonly Pair[]): Finding | undefined {
  const away = pairs.filter(
    ({ now, before }) =>
      (now.visitors === 0 || before.visitors === 0) && isAboveNoise(now.visitors, before.visitors),
  );
  const largest = largestOf(away, ({ now, before }) => Math.max(now.visitors, before.visitors));
  if (!largest) return undefined;
  const { dimension, value, now, before } = largest;
  return {
    kind: before.visitors === 0 ? 'new' : 'gone',
    dimension,
    value,
    now: now.visitors,
    before: before.visitors,
    change: changeOf(now.visitors, before.visitors),
    contribution: null,
  };
}

/** Returns the entry of the greatest weight; of equal ones the first. */
function largestOf<Entry>(entries: readonly Entry[], weigh: (entry: Entry) => number): Entry | undefined {
  return entries.reduce<Entry | undefined>(
    (largest, entry) => (largest === undefined || weigh(entry) > weigh(largest) ? entry : largest),
    undefined,
  );
}
