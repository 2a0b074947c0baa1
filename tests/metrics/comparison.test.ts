import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { toLocalText } from '../../src/metrics/time/calendar.ts';
import { type AskedComparison, type Compared, toCompared } from '../../src/metrics/time/comparison.ts';
import { type Range, readBound, toPeriodRange } from '../../src/metrics/time/range.ts';
import { findZone, type Zone } from '../../src/metrics/time/zone.ts';
import type { Period } from '../../src/vocabulary/contract.ts';
import { type MetricsService, refused, startMetrics } from './support.ts';

type Comparison = AskedComparison['comparison'];

/** A Friday in Berlin, half an hour after midnight there; in UTC still the 19th. */
const NOW_MS = Date.parse('2026-11-19T23:30:00Z');
const BEGAN_MS = Date.parse('2026-02-03T15:00:00Z');

function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (!zone) throw new Error(`${name} is not a zone`);
  return zone;
}
const berlin = zoneOf('Europe/Berlin');

function local({ fromMs, toMs, zone }: Range): [string, string] {
  return [toLocalText(zone, fromMs), toLocalText(zone, toMs)];
}

const between = (from: string, to: string, zone = berlin): Range => ({
  zone,
  fromMs: readBound(from, zone, 'from') ?? 0,
  toMs: readBound(to, zone, 'to') ?? 0,
});
function rangeOf(compared: Compared | undefined): Range {
  if (!compared) throw new Error('Nothing is compared.');
  return compared.range;
}

describe('what a whole range is compared with', () => {
  /** A range, or the name of a period. */
  test.each<[string, Range | Period, Comparison, string, string]>([
    ['today: yesterday', 'today', 'previous', '2026-11-19', '2026-11-20'],
    ['7 days: the 7 before', '7d', 'previous', '2026-11-07', '2026-11-14'],
    ['28 days over a change of the clocks', '28d', 'previous', '2026-09-26', '2026-10-24'],
    ['a running month: the same days of the last', 'month', 'previous', '2026-10-01', '2026-10-21'],
    ['the last month: the month before it', 'lastmonth', 'previous', '2026-09-01', '2026-10-01'],
    ['a running year: the same days of the last', 'year', 'previous', '2025-01-01', '2025-11-21'],
    ['12 months: the 12 before', '12mo', 'previous', '2024-12-01', '2025-11-21'],
    ['dates: as many days', between('2026-03-28', '2026-03-30'), 'previous', '2026-03-25', '2026-03-28'],
    ['two whole months: two', between('2026-03-01', '2026-04-30'), 'previous', '2026-01-01', '2026-03-01'],
    [
      'a whole February: January',
      between('2028-02-01', '2028-02-29'),
      'previous',
      '2028-01-01',
      '2028-02-01',
    ],
    ['a year before, the same days', '7d', 'year', '2025-11-14', '2025-11-21'],
    ['a year before a whole month', between('2029-02-01', '2029-02-28'), 'year', '2028-02-01', '2028-03-01'],
    ['a year before 28 February', between('2025-02-28', '2025-02-28'), 'year', '2024-02-28', '2024-02-29'],
    ['a year before 30 days', between('2025-01-30', '2025-02-28'), 'year', '2024-01-30', '2024-02-29'],
    ['a year before 29 February', between('2028-02-29', '2028-02-29'), 'year', '2027-02-28', '2027-03-01'],
  ])('%s', (_, given, comparison, from, to) => {
    const [range, period] =
      typeof given === 'string'
        ? [toPeriodRange(given, berlin, NOW_MS, BEGAN_MS), given]
        : [given, undefined];
    const asked = { comparison, period, nowMs: NOW_MS, isWhole: true };
    const [localFrom, localTo] = local(rangeOf(toCompared(range, asked)));
    expect([localFrom.slice(0, 19), localTo.slice(0, 19)]).toEqual([`${from}T00:00:00`, `${to}T00:00:00`]);
  });

  test.each([
    ['24h by the millisecond', '24h' as const, undefined],
    ['times by the millisecond', undefined, between('2026-10-25T01:30', '2026-10-25T05:00')],
  ])('%s', (_, name, given) => {
    const range = given ?? toPeriodRange('24h', berlin, NOW_MS, 0);
    const asked = { comparison: 'previous', period: name, nowMs: NOW_MS, isWhole: true } as const;
    const compared = rangeOf(toCompared(range, asked));
    expect(compared.toMs).toBe(range.fromMs);
    expect(compared.toMs - compared.fromMs).toBe(range.toMs - range.fromMs);
  });

  test('times are compared with the same times on the walls a year before', () => {
    const range = between('2026-07-01T10:00', '2026-07-01T12:00');
    const asked = { comparison: 'year', period: undefined, nowMs: NOW_MS, isWhole: true } as const;
    expect(local(rangeOf(toCompared(range, asked)))).toEqual([
      '2025-07-01T10:00:00+02:00',
      '2025-07-01T12:00:00+02:00',
    ]);
  });
});

describe('matched by weekday', () => {
  test.each<[string, Range | Period, Comparison, string, string]>([
    ['today: a week ago', 'today', 'previous', '2026-11-13', '2026-11-14'],
    ['7 days: the 7 before', '7d', 'previous', '2026-11-07', '2026-11-14'],
    ['30 days: those 35 days before', '30d', 'previous', '2026-09-17', '2026-10-17'],
    ['91 days, over a change of the clocks', '91d', 'previous', '2026-05-23', '2026-08-22'],
    ['10 dates: 14 days before', between('2026-11-01', '2026-11-10'), 'previous', '2026-10-18', '2026-10-28'],
    ['a year: 52 weeks', '7d', 'year', '2025-11-15', '2025-11-22'],
    ['a running month: its dates', 'month', 'previous', '2026-10-01', '2026-10-21'],
    ['6 months: their dates', '6mo', 'previous', '2025-12-01', '2026-05-21'],
    ['a month a year ago: its dates', 'lastmonth', 'year', '2025-10-01', '2025-11-01'],
  ])('%s', (_, given, comparison, from, to) => {
    const [range, period] =
      typeof given === 'string'
        ? [toPeriodRange(given, berlin, NOW_MS, BEGAN_MS), given]
        : [given, undefined];
    const asked = { comparison, match: 'weekday', period, nowMs: NOW_MS, isWhole: true } as const;
    const [localFrom, localTo] = local(rangeOf(toCompared(range, asked)));
    expect([localFrom.slice(0, 19), localTo.slice(0, 19)]).toEqual([`${from}T00:00:00`, `${to}T00:00:00`]);
  });

  test('a range that is running is cut at the same time of that day; 24 hours are those a week before', () => {
    const nowMs = Date.parse('2026-11-20T10:20Z');
    const utc = zoneOf('UTC');
    const until = (period: Period) =>
      local(
        rangeOf(
          toCompared(toPeriodRange(period, utc, nowMs, 0), {
            comparison: 'previous',
            match: 'weekday',
            period,
            nowMs,
            isWhole: false,
          }),
        ),
      ).map((text) => text.slice(0, 16));
    expect(until('today')).toEqual(['2026-11-13T00:00', '2026-11-13T10:20']);
    expect(until('24h')).toEqual(['2026-11-12T11:00', '2026-11-13T10:20']);
  });

  test.each<[string, string, Comparison, string, string]>([
    ['2026-07-01T10:00', '2026-07-01T12:00', 'previous', '2026-06-24T10:00', '2026-06-24T12:00'],
    ['2026-11-20T10:00', '2026-11-21T10:00', 'previous', '2026-11-13T10:00', '2026-11-14T10:00'],
    ['2026-11-01T10:00', '2026-11-09T09:00', 'previous', '2026-10-18T10:00', '2026-10-26T09:00'],
    ['2026-11-20T10:00', '2026-11-21T10:00', 'year', '2025-11-21T10:00', '2025-11-22T10:00'],
  ])('the times from %s to %s are compared with the %s ones whole weeks before', (...given) => {
    const [from, to, comparison, earlierFrom, earlierTo] = given;
    const utc = zoneOf('UTC');
    const asked = { comparison, match: 'weekday', period: undefined, nowMs: NOW_MS, isWhole: true } as const;
    const compared = rangeOf(toCompared(between(from, to, utc), asked));
    expect(compared).toEqual(between(earlierFrom, earlierTo, utc));
  });
});

describe('a range that is running is compared as far as it has come', () => {
  /** Now and the compared range on the clocks of the zone; a time that they show twice carries its offset. */
  type Case = [string, string, string, Period | [string, string], Comparison, string, string];

  test.each<Case>([
    ['today', 'UTC', '2026-11-20T10:20', 'today', 'previous', '2026-11-19T00:00', '2026-11-19T10:20'],
    ['24 hours', 'UTC', '2026-11-20T10:20', '24h', 'previous', '2026-11-18T11:00', '2026-11-19T10:20'],
    ['7 days', 'UTC', '2026-11-20T10:20', '7d', 'previous', '2026-11-07T00:00', '2026-11-13T10:20'],
    ['30 days', 'UTC', '2026-11-20T10:20', '30d', 'previous', '2026-09-22T00:00', '2026-10-21T10:20'],
    ['the month', 'UTC', '2026-11-20T10:20', 'month', 'previous', '2026-10-01T00:00', '2026-10-20T10:20'],
    ['the year', 'UTC', '2026-11-20T10:20', 'year', 'previous', '2025-01-01T00:00', '2025-11-20T10:20'],
    ['12 months', 'UTC', '2026-11-20T10:20', '12mo', 'previous', '2024-12-01T00:00', '2025-11-20T10:20'],
    ['a year ago', 'UTC', '2026-11-20T10:20', '7d', 'year', '2025-11-14T00:00', '2025-11-20T10:20'],
    ['24 hours a year ago', 'UTC', '2026-11-20T10:20', '24h', 'year', '2025-11-19T11:00', '2025-11-20T10:20'],

    // Ranges of one's own.
    [
      'days that go on after today',
      'UTC',
      '2026-11-20T10:20',
      ['2026-11-16', '2026-11-22'],
      'previous',
      '2026-11-09T00:00',
      '2026-11-13T10:20',
    ],
    [
      'a whole month that is running',
      'UTC',
      '2026-11-20T10:20',
      ['2026-11-01', '2026-11-30'],
      'previous',
      '2026-10-01T00:00',
      '2026-10-20T10:20',
    ],
    [
      'times by the millisecond',
      'UTC',
      '2026-11-20T10:20',
      ['2026-11-20T08:00', '2026-11-20T12:00'],
      'previous',
      '2026-11-20T04:00',
      '2026-11-20T06:20',
    ],

    // The first minute of a day, of a month, of a year, and the instant before.
    [
      'the first second of a day',
      'UTC',
      '2026-11-20T00:00:01',
      'today',
      'previous',
      '2026-11-19T00:00',
      '2026-11-19T00:00:01',
    ],
    [
      'the first instant of a day',
      'UTC',
      '2026-11-20T00:00',
      'today',
      'previous',
      '2026-11-19T00:00',
      '2026-11-19T00:00',
    ],
    [
      'the last instant of a day',
      'UTC',
      '2026-11-19T23:59:59.999',
      'today',
      'previous',
      '2026-11-18T00:00',
      '2026-11-18T23:59:59.999',
    ],
    [
      'the first minute of a month',
      'UTC',
      '2026-12-01T00:01',
      'month',
      'previous',
      '2026-11-01T00:00',
      '2026-11-01T00:01',
    ],
    [
      'the first minute of a year',
      'UTC',
      '2027-01-01T00:01',
      'year',
      'previous',
      '2026-01-01T00:00',
      '2026-01-01T00:01',
    ],

    // Days that a month before does not have: it was over by then.
    ['the 30th', 'UTC', '2026-10-30T10:20', 'month', 'previous', '2026-09-01T00:00', '2026-09-30T10:20'],
    ['the 31st', 'UTC', '2026-10-31T10:20', 'month', 'previous', '2026-09-01T00:00', '2026-10-01T00:00'],
    [
      'the 30th of 31',
      'UTC',
      '2026-11-30T10:20',
      'month',
      'previous',
      '2026-10-01T00:00',
      '2026-10-30T10:20',
    ],
    ['28 March', 'UTC', '2026-03-28T10:20', 'month', 'previous', '2026-02-01T00:00', '2026-02-28T10:20'],
    ['29 March', 'UTC', '2026-03-29T10:20', 'month', 'previous', '2026-02-01T00:00', '2026-03-01T00:00'],
    ['31 March', 'UTC', '2026-03-31T10:20', 'month', 'previous', '2026-02-01T00:00', '2026-03-01T00:00'],
    [
      '29 March of a leap year',
      'UTC',
      '2028-03-29T10:20',
      'month',
      'previous',
      '2028-02-01T00:00',
      '2028-02-29T10:20',
    ],

    // The leap day.
    [
      'the leap day by days',
      'UTC',
      '2028-02-29T10:20',
      'today',
      'previous',
      '2028-02-28T00:00',
      '2028-02-28T10:20',
    ],
    [
      'the year on the leap day',
      'UTC',
      '2028-02-29T10:20',
      'year',
      'previous',
      '2027-01-01T00:00',
      '2027-03-01T00:00',
    ],
    [
      'the year after the leap day',
      'UTC',
      '2028-03-01T10:20',
      'year',
      'previous',
      '2027-01-01T00:00',
      '2027-03-01T10:20',
    ],
    [
      'the year after a leap year',
      'UTC',
      '2029-03-01T10:20',
      'year',
      'previous',
      '2028-01-01T00:00',
      '2028-03-01T10:20',
    ],
    [
      'the leap day a year ago',
      'UTC',
      '2028-02-29T10:20',
      'today',
      'year',
      '2027-02-28T00:00',
      '2027-02-28T10:20',
    ],
    [
      'times of the leap day a year ago',
      'UTC',
      '2028-02-29T10:20',
      ['2028-02-29T08:00', '2028-02-29T18:00'],
      'year',
      '2027-02-28T08:00',
      '2027-02-28T10:20',
    ],

    // Days that daylight saving makes shorter or longer: by the clocks.
    [
      'a day of 23 hours',
      'Europe/Berlin',
      '2026-03-29T10:20',
      'today',
      'previous',
      '2026-03-28T00:00',
      '2026-03-28T10:20',
    ],
    [
      'the day after it',
      'Europe/Berlin',
      '2026-03-30T10:20',
      'today',
      'previous',
      '2026-03-29T00:00',
      '2026-03-29T10:20',
    ],
    [
      'a time that it leaves out: where the gap ends',
      'Europe/Berlin',
      '2026-03-30T02:30',
      'today',
      'previous',
      '2026-03-29T00:00',
      '2026-03-29T03:00',
    ],
    [
      'a day of 25 hours',
      'Europe/Berlin',
      '2026-10-25T10:20',
      'today',
      'previous',
      '2026-10-24T00:00',
      '2026-10-24T10:20',
    ],
    [
      'the first half past two',
      'Europe/Berlin',
      '2026-10-25T02:30+02:00',
      'today',
      'previous',
      '2026-10-24T00:00',
      '2026-10-24T02:30',
    ],
    [
      'the second half past two',
      'Europe/Berlin',
      '2026-10-25T02:30+01:00',
      'today',
      'previous',
      '2026-10-24T00:00',
      '2026-10-24T02:30',
    ],
    [
      'the day after it',
      'Europe/Berlin',
      '2026-10-26T10:20',
      'today',
      'previous',
      '2026-10-25T00:00',
      '2026-10-25T10:20',
    ],
    [
      'a time that it shows twice: the first',
      'Europe/Berlin',
      '2026-10-26T02:30',
      'today',
      'previous',
      '2026-10-25T00:00',
      '2026-10-25T02:30+02:00',
    ],
    [
      '7 days over a change of the clocks',
      'Europe/Berlin',
      '2026-10-28T10:20',
      '7d',
      'previous',
      '2026-10-15T00:00',
      '2026-10-21T10:20',
    ],
    [
      'a month over one',
      'Europe/Berlin',
      '2026-04-15T10:20',
      'month',
      'previous',
      '2026-03-01T00:00',
      '2026-03-15T10:20',
    ],
    [
      'a midnight that the day before left out: nothing yet',
      'America/Sao_Paulo',
      '2018-11-05T00:30',
      'today',
      'previous',
      '2018-11-04T01:00',
      '2018-11-04T01:00',
    ],
    [
      'a midnight that comes twice',
      'America/Havana',
      '2026-11-01T00:30-05:00',
      'today',
      'previous',
      '2026-10-31T00:00',
      '2026-10-31T00:30',
    ],
    [
      'the day before was left out at the date line: nothing',
      'Pacific/Apia',
      '2011-12-31T10:20',
      'today',
      'previous',
      '2011-12-31T00:00',
      '2011-12-31T00:00',
    ],
  ])('%s, %s, now %s', (_, zoneName, now, given, comparison, from, to) => {
    const zone = zoneOf(zoneName);
    const at = (text: string) => readBound(text, zone, 'from') ?? Number.NaN;
    const nowMs = at(now);
    const period = typeof given === 'string' ? given : undefined;
    const range =
      typeof given === 'string' ? toPeriodRange(given, zone, nowMs, BEGAN_MS) : between(...given, zone);
    const asked = { comparison, period, nowMs, isWhole: false };
    expect(toCompared(range, asked)).toEqual({
      range: { zone, fromMs: at(from), toMs: at(to) },
      untilMs: nowMs,
    });
  });

  test.each<[string, Range | Period]>([
    ['yesterday', 'yesterday'],
    ['the last month', 'lastmonth'],
    ['a range that ends with now', { zone: berlin, fromMs: NOW_MS - 60_000, toMs: NOW_MS }],
    ['a range that is to come', { zone: berlin, fromMs: NOW_MS + 1, toMs: NOW_MS + 60_001 }],
  ])('%s is compared whole', (_, given) => {
    const [range, period] =
      typeof given === 'string'
        ? [toPeriodRange(given, berlin, NOW_MS, BEGAN_MS), given]
        : [given, undefined];
    const asked = { comparison: 'previous', period, nowMs: NOW_MS } as const;
    const part = toCompared(range, { ...asked, isWhole: false });
    expect(part?.untilMs).toBeUndefined();
    expect(part).toEqual(toCompared(range, { ...asked, isWhole: true }));
  });

  test.each(['previous', 'year'] as const)(
    'the period all has no comparison with compare=%s',
    (comparison) => {
      const range = toPeriodRange('all', berlin, NOW_MS, BEGAN_MS);
      const asked = { comparison, period: 'all', nowMs: NOW_MS } as const;
      for (const isWhole of [true, false]) expect(toCompared(range, { ...asked, isWhole })).toBeUndefined();
    },
  );
});

describe('compare, at noon', () => {
  let service: MetricsService;
  beforeAll(async () => {
    service = await startMetrics();
    await service.track([
      { at: '2026-11-20T09:00:00Z', visitor: 'a', page: '/' },
      { at: '2026-11-20T09:01:00Z', visitor: 'a', page: '/blog' },
      { at: '2026-11-19T08:00:00Z', visitor: 'a', page: '/' },
      { at: '2026-11-19T11:59:59.999Z', visitor: 'b', page: '/' },
      { at: '2026-11-19T12:00:00Z', visitor: 'c', page: '/blog' },
      { at: '2026-11-19T20:00:00Z', visitor: 'd', page: '/blog' },
    ]);
  });
  afterAll(() => service.close());

  const RANGE = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', timezone: 'UTC' };
  const PART = { from: '2026-11-19T00:00:00.000Z', to: '2026-11-19T12:00:00.000Z', timezone: 'UTC' };
  const WHOLE = { ...PART, to: RANGE.from };
  const UNTIL = '2026-11-20T12:00:00.000Z';
  const PATHS = ['/stats?', '/stats/timeseries?', '/stats/breakdown?dimension=page&', '/stats/dashboard?'];

  async function askOverview(query: string): Promise<unknown> {
    const { body } = await service.send('GET', `/api/v1/stats/websites?${query}`, {
      token: service.ada.token,
    });
    return body;
  }

  test.each(PATHS)('GET …%s says both ranges, and that the later one is running', async (path) => {
    const { range, comparison } = await service.get(`${path}period=today&compare=previous`);
    expect(range).toMatchObject(RANGE);
    expect(comparison).toMatchObject({ range: PART, until: UNTIL });
    const whole = await service.get(`${path}period=today&compare=previous&compareWhole=true`);
    expect(whole.range).toMatchObject(RANGE);
    expect(whole.comparison).toMatchObject({ range: WHOLE });
    expect(whole.comparison).not.toHaveProperty('until');
    const part = await service.get(`${path}period=today&compare=previous&compareWhole=false`);
    expect(part.comparison).toMatchObject({ range: PART });
  });

  test('totals count what came before the same point', async () => {
    const query = '/stats?period=today&compare=previous';
    expect(await service.get(query)).toMatchObject({
      visitors: 1,
      comparison: { visitors: 2, pageviews: 2, change: { visitors: -50, pageviews: 0 } },
    });
    expect(await service.get(`${query}&compareWhole=true`)).toMatchObject({
      comparison: { visitors: 4, pageviews: 4, change: { visitors: -75, pageviews: -50 } },
    });
  });

  test('a range of the caller is compared whole, and must be one', async () => {
    const custom = '/stats?period=today&compare=custom&compareFrom=2026-11-19';
    expect(await service.get(`${custom}&compareTo=2026-11-19`)).toMatchObject({
      visitors: 1,
      comparison: { range: WHOLE, visitors: 4 },
    });
    const { body } = await service.send('GET', `/api/v1/websites/${service.website.id}${custom}`, {
      token: service.ada.token,
    });
    expect(body).toMatchObject({
      details: { fieldErrors: { compareTo: ['Required with compare=custom'] } },
    });
    const unasked = `/api/v1/websites/${service.website.id}/stats?compareFrom=2026-11-19`;
    const refused = await service.send('GET', unasked, { token: service.ada.token });
    expect(refused.body.details.fieldErrors).toEqual({
      compare: ['Must be custom with compareFrom and compareTo'],
    });
  });

  test('matched by weekday, it is the same day of last week', async () => {
    const week = { ...PART, from: '2026-11-13T00:00:00.000Z', to: '2026-11-13T12:00:00.000Z' };
    expect(await service.get('/stats?period=today&compare=previous&compareMatch=weekday')).toMatchObject({
      comparison: { range: week, visitors: 0 },
    });
  });

  test('a series ends there too', async () => {
    const pointsOf = async (query: string) => {
      const { points, comparison } = await service.get(`/stats/timeseries?compare=previous&${query}`);
      const earlier = (comparison as { points: { visitors: number; incomplete: boolean }[] }).points;
      return [
        (points as unknown[]).length,
        earlier.map(({ visitors, incomplete }) => (incomplete ? `${visitors}…` : visitors)),
      ];
    };
    expect(await pointsOf('period=today')).toEqual([24, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1]]);
    expect(await pointsOf('period=today&interval=day')).toEqual([1, ['2…']]);
    expect(await pointsOf('period=today&interval=day&compareWhole=true')).toEqual([1, [4]]);
  });

  test.each(['/stats/breakdown?dimension=page&', '/stats/dashboard?breakdowns=page&'])(
    'GET …%s compares values with the earlier range',
    async (path) => {
      const visitors = async (query: string) => {
        const { rows, breakdowns } = await service.get(`${path}period=today&compare=previous&${query}`);
        const [breakdown = { rows }] = (breakdowns ?? []) as { rows: unknown }[];
        const found = breakdown.rows as { value: string; comparison: { visitors: number } }[];
        return found.map(({ value, comparison }) => [value, comparison.visitors]);
      };
      expect(await visitors('')).toEqual([
        ['/', 2],
        ['/blog', 0],
      ]);
      expect(await visitors('compareWhole=true')).toEqual([
        ['/', 2],
        ['/blog', 2],
      ]);
    },
  );

  test('so does the overview of all websites', async () => {
    expect(await askOverview('period=today&compare=previous')).toMatchObject({
      websites: [{ range: RANGE, comparison: { range: PART, until: UNTIL, visitors: 2 } }],
    });
    const { websites } = (await askOverview('period=today&compare=previous&compareWhole=true')) as {
      websites: { comparison: object }[];
    };
    expect(websites).toMatchObject([{ range: RANGE, comparison: { range: WHOLE, visitors: 4 } }]);
    expect(websites[0]?.comparison).not.toHaveProperty('until');
  });

  test('a file compares the same part of the range', async () => {
    const file = async (path: string) => {
      const { body } = await service.ask(`${path}period=today&compare=previous&format=csv`);
      return String(body).trimEnd().split('\r\n');
    };
    const metrics = 'visitors,visits,pageviews,events,viewsPerVisit,bounceRate,visitDuration';
    expect(await file('/stats?')).toEqual([
      `of,from,to,timezone,${metrics}`,
      `range,${RANGE.from},${RANGE.to},UTC,1,1,2,2,2,0,60`,
      `comparison,${PART.from},${PART.to},UTC,2,2,2,2,1,1,0`,
      `change,${RANGE.from},${UNTIL},UTC,-50,-50,0,0,100,-100,`,
    ]);
    const series = await file('/stats/timeseries?interval=day&');
    expect(series.map((line) => line.split(',').slice(0, 5).join(','))).toEqual([
      'of,time,local,incomplete,visitors',
      `range,${RANGE.from},2026-11-20T00:00:00+00:00,true,1`,
      `comparison,${PART.from},2026-11-19T00:00:00+00:00,true,2`,
    ]);
    const previous = metrics.replaceAll(/\w+/g, 'previous.$&');
    expect(await file('/stats/breakdown?dimension=page&')).toEqual([
      `value,${metrics},share,previous.from,previous.to,${previous}`,
      `/,1,1,1,1,1,0,60,1,${PART.from},${PART.to},2,2,2,2,1,1,0`,
      `/blog,1,1,1,1,1,0,60,1,${PART.from},${PART.to},0,0,0,0,0,0,0`,
    ]);
    expect((await file('/stats/dashboard?interval=day&')).slice(1, 3)).toEqual([
      `totals,${RANGE.from},${RANGE.to},,,,,1,1,2,2,2,0,60,`,
      `comparison,${PART.from},${PART.to},,,,,2,2,2,2,1,1,0,`,
    ]);
    expect(String(await askOverview('period=today&compare=previous&format=csv'))).toEqual(
      [
        'websiteId,name,domain,visitors,visits,pageviews,previous.from,previous.to,previous.visitors,previous.visits,previous.pageviews\r\n',
        `${service.website.id},Example,https://example.com,1,1,2,${PART.from},${PART.to},2,2,2\r\n`,
      ].join(''),
    );
  });

  test.each(PATHS)('GET …%s has no comparison with all', async (path) => {
    for (const query of ['compare=previous', 'compare=year', 'compare=previous&compareWhole=true'])
      expect(await service.get(`${path}period=all&${query}`)).toEqual(await service.get(`${path}period=all`));
  });

  test('GET /stats/websites has no comparison with period=all', async () => {
    expect(await askOverview('period=all&compare=previous')).toEqual(await askOverview('period=all'));
  });

  describe('with an earlier range of more than 2,000 points', () => {
    const query =
      'from=2026-11-20&to=2026-11-20&compare=custom&compareFrom=2026-08-25&compareTo=2026-11-19&filters=[]';

    test('the dashboard compares totals and rows, and has no points of it', async () => {
      const { comparison, breakdowns } = await service.get(`/stats/dashboard?breakdowns=page&${query}`);
      const { comparison: totals } = await service.get(`/stats?${query}`);
      const { comparison: _, ...rows } = await service.get(`/stats/breakdown?dimension=page&${query}`);
      expect(comparison).toEqual({
        ...Object(totals),
        range: { ...Object(totals).range, interval: 'hour' },
        points: [],
      });
      expect(breakdowns).toMatchObject([{ rows: rows.rows }]);
      expect(Object(totals).visitors).toBeGreaterThan(0);
    });

    test('a series refuses it', async () => {
      expect(await service.ask(`/stats/timeseries?${query}`)).toMatchObject(
        refused({
          compare: [
            'By hour, this range has more than 2000 points; ask for a longer interval or a shorter range',
          ],
        }),
      );
      const daily = await service.get(`/stats/timeseries?${query}&interval=day`);
      expect(Object(daily.comparison).points).toHaveLength(87);
    });
  });

  test('follows the time zone that is asked for', async () => {
    // 17:30 in Kolkata.
    const query = '/stats?period=today&compare=previous&timezone=Asia/Kolkata';
    expect(await service.get(query)).toMatchObject({
      range: { from: '2026-11-19T18:30:00.000Z' },
      comparison: {
        range: { from: '2026-11-18T18:30:00.000Z', to: '2026-11-19T12:00:00.000Z' },
        until: UNTIL,
      },
    });
  });

  test('no request above caused an internal error', () => {
    expect(service.errors).toEqual([]);
  });
});
