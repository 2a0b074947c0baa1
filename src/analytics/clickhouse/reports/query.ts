import { sql } from '../../../log/clickhouse/sql.ts';
import type { Headline, HeadlinesRequest } from '../../analytics.ts';
import type {
  Breakdown,
  BreakdownAnswer,
  ConditionsAnswer,
  ConditionsRequest,
  Figures,
  Query,
  QueryAnswer,
  Value,
  ValuesRequest,
} from '../../interface/query.ts';
import { ask, askParts, toScope } from '../ask.ts';
import { NOTHING, type PartAnswer, toFigures } from '../groups.ts';
import {
  conditionPart,
  dimensionPart,
  ofEvents,
  ofVisit,
  type Part,
  seriesPart,
  wholePart,
} from '../parts.ts';
import type { Source } from '../read-window.ts';
import { AT, createScan, fieldsOfEvent } from '../scan.ts';

export function answerQuery(request: Query, source: Source): Promise<QueryAnswer> {
  const { totals, series, breakdowns, withWeights } = request;
  const hasPoints = series !== undefined && series.bounds.length > 1;
  return ask(source, toScope(request), async (window) => {
    const scan = createScan(window);
    const parts: Part[] = [
      ...(totals ? [wholePart()] : []),
      ...(hasPoints ? [seriesPart(series.bounds, request)] : []),
      ...(breakdowns ?? []).map((breakdown) => dimensionPart(scan, breakdown)),
    ];
    const answers = await askParts(source, scan, { parts, matching: scan.matches(request) });
    return {
      ...(totals && { totals: toWhole(answers.shift(), withWeights) }),
      ...(series && { series: hasPoints ? toPoints(answers.shift(), series.bounds, withWeights) : [] }),
      ...(breakdowns && {
        breakdowns: breakdowns.map((breakdown) => toBreakdown(answers.shift(), breakdown, withWeights)),
      }),
    };
  });
}

function toWhole(answer: PartAnswer | undefined, withWeights = false): Figures {
  return toFigures(answer?.groups[0] ?? NOTHING, 'all', withWeights);
}

function toPoints(
  answer: PartAnswer | undefined,
  bounds: readonly number[],
  withWeights?: boolean,
): Figures[] {
  const byStart = new Map(answer?.groups.map((group) => [Number(group.value), group]));
  return bounds
    .slice(0, -1)
    .map((startMs) => toFigures(byStart.get(startMs) ?? NOTHING, 'begun', withWeights));
}

export function toBreakdown(
  answer: PartAnswer | undefined,
  { dimension }: Breakdown,
  withWeights?: boolean,
): BreakdownAnswer {
  const means = dimension === 'page' ? 'page' : 'all';
  const rows = (answer?.groups ?? []).map((group) => ({
    value: group.value || null,
    ...toFigures(group, means, withWeights),
  }));
  return { dimension, rows, total: answer?.total ?? 0 };
}

export function answerConditions(request: ConditionsRequest, source: Source): Promise<ConditionsAnswer> {
  return ask(source, toScope(request), async (window) => {
    const scan = createScan(window);
    const parts = request.conditions.map((condition) => conditionPart(scan.passes(condition)));
    const matching = scan.matches(request);
    const [totals, ...rows] = await askParts(source, scan, { parts: [wholePart(), ...parts], matching });
    return { totals: toWhole(totals), rows: rows.map((row) => toWhole(row)) };
  });
}

export async function listValues(request: ValuesRequest, source: Source): Promise<Value[]> {
  const { dimension, search, limit, ...selection } = request;
  const breakdown: Breakdown = {
    dimension,
    limit,
    sort: { by: 'events', descending: true },
    ...(search !== undefined && { search }),
  };
  const { breakdowns: [answer] = [] } = await answerQuery({ ...selection, breakdowns: [breakdown] }, source);
  return (answer?.rows ?? []).map(({ value, events }) => ({ value: value ?? '', events }));
}

export async function answerHeadlines(request: HeadlinesRequest, source: Source): Promise<Headline[]> {
  const { websiteKeys, fromMs, toMs, bounds } = request;
  if (websiteKeys.length === 0) return [];
  const asked = { websiteKeys, fromMs, toMs, traffic: 'people' as const, needsFirstVisits: false };
  const hasPoints = bounds !== undefined && bounds.length > 1;
  const answers = await ask(source, asked, async (window) => {
    const scan = createScan(window);
    const parts = [
      { toTuples: ofVisit(sql`toString(website_key)`) },
      ...(hasPoints ? [pointsOfEach(bounds)] : []),
    ];
    return askParts(source, scan, { parts, matching: scan.matches({ fromMs, toMs }) });
  });
  const [totals, points] = answers.map(
    ({ groups }) => new Map(groups.map((group) => [group.value, group] as const)),
  );
  return websiteKeys.map((websiteKey) => {
    const { visitors, visits, pageviews } = totals?.get(String(websiteKey)) ?? NOTHING;
    const ofBucket = (startMs: number) => points?.get(`${websiteKey} ${startMs}`)?.visitors ?? 0;
    return {
      websiteKey,
      visitors,
      visits,
      pageviews,
      ...(bounds && { points: bounds.slice(0, -1).map(ofBucket) }),
    };
  });
}

function pointsOfEach(bounds: readonly number[]): Part {
  const starts = bounds.map((ms) => sql`toInt64(${ms})`);
  const within = sql`${AT} >= ${bounds[0] ?? 0} AND ${AT} < ${bounds.at(-1) ?? 0}`;
  const value = sql`concat(toString(website_key), ' ', toString(roundDown(${AT}, ${starts})))`;
  const events = sql`arrayFilter(e -> ${within}, ms)`;
  return { toTuples: ofEvents(sql`arrayMap(e -> ${value}, ${events})`, fieldsOfEvent(events).type) };
}
