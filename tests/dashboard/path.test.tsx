import { describe, expect, test } from 'bun:test';
import { byDay } from '../../src/dashboard/people/days.ts';
import { Path } from '../../src/dashboard/people/Path.tsx';
import { VisitCalendar } from '../../src/dashboard/people/VisitCalendar.tsx';
import { formatDay } from '../../src/dashboard/state/time-format.ts';
import { readIn } from '../support/reader.ts';
import { mount } from '../support/render.ts';

readIn('en-GB');

const NOW_MS = Date.parse('2026-11-23T04:00:00Z');

describe('days of people', () => {
  test.each([
    ['2026-11-23T00:00:00Z', 'UTC', 'Today'],
    ['2026-11-22T23:59:59Z', 'UTC', 'Yesterday'],
    ['2026-11-23T04:00:00Z', 'America/New_York', 'Today'],
    ['2026-11-22T12:00:00Z', 'America/New_York', 'Today'],
    ['2026-11-20T12:00:00Z', 'UTC', 'Fri, 20 Nov 2026'],
  ])('%s in %s is %s', (at, zone, text) => expect(formatDay(at, zone, NOW_MS)).toBe(text));

  test('gather rows in their order', () => {
    const rows = ['2026-11-23T01:00:00Z', '2026-11-22T01:00:00Z', '2026-11-22T00:00:00Z'];
    expect(byDay(rows, (at) => at, 'UTC', NOW_MS).map(({ day, rows }) => [day, rows.length])).toEqual([
      ['Today', 1],
      ['Yesterday', 2],
    ]);
  });
});

describe('a path', () => {
  const event = (id: string, createdAt: string) => ({
    id,
    createdAt,
    eventType: 'pageview' as const,
    url: `https://example.com/${id}`,
    page: `/${id}`,
    name: null,
    engagedSeconds: null,
    scrollDepth: null,
    properties: null,
  });
  const events = [
    event('one', '2026-11-20T09:00:00.000Z'),
    event('two', '2026-11-20T09:00:28.000Z'),
    event('three', '2026-11-21T05:05:28.000Z'),
    event('four', '2026-11-22T05:05:28.000Z'),
  ];
  const gaps = (shown: typeof events) => {
    using page = mount(<Path events={shown} timezone="UTC" />);
    expect(page.findAll('.path-day')).toHaveLength(3);
    return page
      .findAll('.path-pageview')
      .map((step) => [
        step.querySelector('strong')?.textContent,
        step.querySelector('.path-gap')?.textContent ?? '',
      ]);
  };

  test('says how long after the step before each step was, in whichever order it is shown', () => {
    expect(gaps(events)).toEqual([
      ['/one', ''],
      ['/two', '+28s'],
      ['/three', '+20h 5m'],
      ['/four', ''], // a day and more: the headings say it
    ]);
    expect(gaps(events.toReversed())).toEqual([
      ['/four', ''],
      ['/three', '+20h 5m'],
      ['/two', '+28s'],
      ['/one', ''],
    ]);
  });
});

test('a calendar of visits has the last 26 weeks, darker by visits, and no future', () => {
  const visits = ['2026-11-23T01:00:00Z', '2026-11-22T09:00:00Z', '2026-11-22T08:00:00Z'];
  using page = mount(<VisitCalendar visits={visits} timezone="UTC" nowMs={NOW_MS} onChoose={() => {}} />);
  expect(page.find('.visit-calendar').getAttribute('aria-label')).toBe('Visits on 2 of the last 182 days');
  expect(page.findAll('.visit-day-1')).toHaveLength(1);
  expect(page.find('.visit-day-2').getAttribute('title')).toBe('Yesterday: 2 visits');
  expect(page.findAll('.visit-day-future')).toHaveLength(6); // it is a Monday
});
