import { expect } from 'bun:test';
import type { Analytics } from '../../../src/analytics/analytics.ts';
import type { BreakdownAnswer, Figures } from '../../../src/analytics/interface/query.ts';
import type { Selection } from '../../../src/analytics/interface/selection.ts';
import { DIMENSIONS, EVENT_DIMENSIONS, type NamedDimension } from '../../../src/vocabulary/analytics.ts';

/** Invariants of any answers, from any engine: one figure has one definition. */

const ALL = 1_000;
const COUNTS = ['visitors', 'visits', 'pageviews', 'events'] as const;
const ADDITIVE = ['pageviews', 'events'] as const;

/** @param bounds from the begin of the range to its end */
export async function checkAgreement(
  analytics: Analytics,
  selection: Selection,
  bounds: readonly number[],
): Promise<void> {
  const breakdowns = DIMENSIONS.map((dimension) => ({ dimension, limit: ALL, withAbsent: true }));
  const answer = await analytics.query({ ...selection, totals: true, series: { bounds }, breakdowns });
  const totals = required(answer.totals);
  const answers = required(answer.breakdowns);
  expectOrder(totals);
  checkSeries(required(answer.series), totals, bounds);
  for (const breakdown of answers) checkBreakdown(breakdown, totals);
  await checkPeople(analytics, selection, totals);
  await checkPages(analytics, selection, answers);
}

function checkSeries(series: readonly Figures[], totals: Figures, bounds: readonly number[]): void {
  expect(series.length).toBe(bounds.length - 1);
  for (const bucket of series) {
    expectOrder(bucket);
    expectWithin(bucket, totals);
  }
  for (const metric of ADDITIVE) expect(sumOf(series, metric)).toBe(totals[metric]);
}

function checkBreakdown({ dimension, rows, total }: BreakdownAnswer, totals: Figures): void {
  expect(rows.length).toBe(total);
  expect(new Set(rows.map(({ value }) => value)).size).toBe(total);
  for (const row of rows) {
    expectOrder(row);
    expectWithin(row, totals);
  }
  for (const metric of ADDITIVE) expect(sumOf(rows, metric)).toBe(totals[metric]);
  const isOfEvents = EVENT_DIMENSIONS.some((name) => name === dimension);
  if (!isOfEvents) expect(sumOf(rows, 'visits')).toBe(totals.visits); // a visit has one value
}

async function checkPeople(analytics: Analytics, selection: Selection, totals: Figures): Promise<void> {
  const whole = { ...selection, limit: ALL, offset: 0 };
  const visitors = await analytics.visitors(whole);
  expect(visitors.total).toBe(totals.visitors);
  const sessions = await analytics.sessions(whole);
  for (const { rows } of [visitors, sessions])
    for (const { events, matched } of rows) expect(matched?.events ?? events).toBeWithin(1, events + 1);
  const matching = (rows: readonly { events: number; matched?: { events: number } }[]) =>
    rows.reduce((sum, { matched }) => sum + (matched?.events ?? 0), 0);
  if (!selection.filter) return;
  for (const { rows } of [visitors, sessions]) expect(matching(rows)).toBe(totals.events);
}

/** The list of pages, the breakdowns by page, entry and exit page, and the detail of each page are of one mind. */
async function checkPages(
  analytics: Analytics,
  selection: Selection,
  breakdowns: readonly BreakdownAnswer[],
): Promise<void> {
  const figuresOf = (name: NamedDimension) => {
    const { rows } = required(breakdowns.find(({ dimension }) => dimension === name));
    return new Map(rows.map(({ value, ...figures }) => [value, figures]));
  };
  const [pages, entries, exits] = [figuresOf('page'), figuresOf('entryPage'), figuresOf('exitPage')];
  const list = await analytics.pages({ ...selection, limit: ALL, offset: 0 });
  expect(list.total).toBe(pages.size);
  for (const row of list.rows) {
    const totals = required(pages.get(row.value));
    const edges = { entries: entries.get(row.value)?.visits ?? 0, exits: exits.get(row.value)?.visits ?? 0 };
    const exitRate = totals.pageviews === 0 ? 0 : edges.exits / totals.pageviews;
    expect(row).toEqual({ value: row.value, ...totals, ...edges, exitRate });
    // Bounces are a matter of where visits began.
    expect(row.bounceRate).toBe(entries.get(row.value)?.bounceRate ?? 0);
    const page = await analytics.page({ ...selection, page: row.value, limit: ALL });
    expect(page).toMatchObject({ totals, ...edges });
    for (const side of [page?.previous, page?.next])
      expect(sumOf(side ?? [], 'pageviews')).toBe(totals.pageviews);
  }
}

function expectOrder({ visitors, visits, events, pageviews }: Figures): void {
  expect(visitors).toBeLessThanOrEqual(visits);
  expect(visits).toBeLessThanOrEqual(events);
  expect(pageviews).toBeLessThanOrEqual(events);
}

/** A part of the events has no more of anything than all of them. */
function expectWithin(part: Figures, whole: Figures): void {
  for (const metric of COUNTS) expect(part[metric]).toBeLessThanOrEqual(whole[metric]);
}

function sumOf<Column extends string>(rows: readonly Record<Column, number>[], column: Column): number {
  return rows.reduce((sum, row) => sum + row[column], 0);
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A part of the answer is missing');
  return value;
}
