import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Filter } from '../../src/analytics/interface/selection.ts';
import { readFilters } from '../../src/metrics/question/filters.ts';
import { INSTANT_FORM } from '../../src/metrics/question/instants.ts';
import { DIMENSIONS, FILTER_OPERATORS } from '../../src/vocabulary/analytics.ts';
import { statusAndBody } from '../support/service.ts';
import { type MetricsService, refused, startMetrics } from './support.ts';

const is = (dimension: string, ...values: string[]) =>
  // Names of the table below, all of them valid.
  ({ op: 'match', dimension, operator: 'is', values }) as Filter;
const and = (...filters: Filter[]): Filter => ({ op: 'and', filters });

const OPERATORS = `Valid: ${[...FILTER_OPERATORS, 'and', 'or', 'not', 'has_done', 'has_not_done', 'first_visit', 'first_seen'].join(', ')}`;
const VALID_DIMENSIONS = `Valid: ${[...DIMENSIONS, 'property:KEY', 'goal', 'segment'].join(', ')}`;
const FORM = 'Must be a list of filters such as [["is","country",["DE","FR"]]]';

describe('filters are read', () => {
  test.each<[string, unknown, Filter]>([
    ['none', [], and()],
    [
      'a list is an and',
      [
        ['is', 'page', ['/']],
        ['is', 'os', ['iOS']],
      ],
      and(is('page', '/'), is('os', 'iOS')),
    ],
    ['one without the list', ['is', 'country', ['DE', 'FR']], and(is('country', 'DE', 'FR'))],
    ['a single value', [['is', 'country', 'DE']], and(is('country', 'DE'))],
    ['no value', [['is', 'country', []]], and(is('country'))],
    ['null is absent', [['is', 'source', [null]]], and(is('source', ''))],
    ['numbers and booleans', [['is', 'property:n', [1.5, true]]], and(is('property:n', '1.5', 'true'))],
    ['a key with a colon', [['is', 'property:a:b', ['x']]], and(is('property:a:b', 'x'))],
    ['Plausible’s names', [['is', 'visit:utm_source', ['x']]], and(is('utmSource', 'x'))],
    ['Plausible’s properties', [['is', 'event:props:plan', ['x']]], and(is('property:plan', 'x'))],
    ['what holds anyway', [['is', 'page', ['/'], { case_sensitive: true }]], and(is('page', '/'))],
    [
      'and, or, not',
      [
        [
          'or',
          [
            ['not', ['is', 'page', ['/']]],
            ['and', [['is', 'os', ['iOS']]]],
          ],
        ],
      ],
      and({ op: 'or', filters: [{ op: 'not', filter: is('page', '/') }, and(is('os', 'iOS'))] }),
    ],
    [
      'the first visit',
      [['first_visit', ['is', 'source', ['Google']]]],
      and({ op: 'first_visit', filter: is('source', 'Google') }),
    ],
    [
      'first seen on some days, the last one included',
      [['first_seen', { from: '2026-11-01', to: '2026-11-20' }]],
      and({ op: 'first_seen', fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 21) }),
    ],
    [
      'first seen since an instant',
      [['first_seen', { from: 1_700_000_000_000 }]],
      and({ op: 'first_seen', fromMs: 1_700_000_000_000, toMs: Number.POSITIVE_INFINITY }),
    ],
  ])('%s', (_, filters, filter) => {
    expect(readFilters(JSON.stringify(filters))).toMatchObject({ filter });
  });

  test.each(['is', 'is_not', 'contains', 'contains_not', 'starts_with', 'ends_with'])('%s', (operator) => {
    expect(readFilters(JSON.stringify([[operator, 'page', ['/a']]]))).toMatchObject({
      // One of the operators.
      filter: and({ op: 'match', dimension: 'page', operator, values: ['/a'] } as Filter),
    });
  });
});

describe('filters are refused, with the place and the valid names', () => {
  test.each<[string, unknown, string[]]>([
    ['no list', { is: 1 }, [FORM]],
    ['a text', 'page', [FORM]],
    ['an entry that is not a list', [1], [`[0]: ${FORM}`]],
    [
      'no range',
      [['first_seen', '2026-11-01']],
      ['[0][1]: Must be {"from":"2026-11-01","to":"2026-11-20"}, or one of the two'],
    ],
    [
      'an empty range',
      [['not', ['first_seen', {}]]],
      ['[0][1][1]: Must be {"from":"2026-11-01","to":"2026-11-20"}, or one of the two'],
    ],
    [
      'another end',
      [['first_seen', { from: '2026-11-01', until: '2026-11-02' }]],
      ['[0][1]: Must be {"from":"2026-11-01","to":"2026-11-20"}, or one of the two'],
    ],
    ['no date', [['first_seen', { from: '1 Nov' }]], [`[0][1].from: ${INSTANT_FORM}`]],
    ['a date that is none', [['first_seen', { to: '2026-02-30' }]], [`[0][1].to: ${INSTANT_FORM}`]],
    [
      'a range that ends before it begins',
      [['first_seen', { from: '2026-11-02', to: '2026-11-01' }]],
      ['[0][1].to: Must be after from'],
    ],
    ['two ranges', [['first_seen', {}, {}]], ['[0][2]: first_seen takes one range']],
    ['two conditions', [['first_visit', ['is', 'os', ['iOS']], 1]], ['[0][2]: first_visit takes one filter']],
    ['an operator', [['equals', 'page', ['/']]], [`[0][0]: Unknown operator "equals". ${OPERATORS}`]],
    [
      'a regular expression that is none',
      [['matches', 'page', ['^/a', '(/a']]],
      ['[0][2]: Not a regular expression: Unclosed (, at character 4'],
    ],
    [
      'many regular expressions',
      [['matches', 'page', Array(11).fill('x')]],
      ['Must have at most 10 regular expressions'],
    ],
    ['a dimension', [['is', 'contry', ['DE']]], [`[0][1]: Unknown dimension "contry". ${VALID_DIMENSIONS}`]],
    [
      'a prototype’s name',
      [['is', '__proto__', ['x']]],
      [`[0][1]: Unknown dimension "__proto__". ${VALID_DIMENSIONS}`],
    ],
    [
      'an empty key',
      [['is', 'property:', ['x']]],
      [`[0][1]: Unknown dimension "property:". ${VALID_DIMENSIONS}`],
    ],
    ['values', [['is', 'page', [{}]]], ['[0][2]: Must be a list of texts, numbers or booleans']],
    ['no values', [['is', 'page']], ['[0][2]: Must be a list of texts, numbers or booleans']],
    ['many values', [['is', 'page', Array(201).fill('x')]], ['[0][2]: Must have at most 200 values']],
    [
      'a long value',
      [['is', 'page', ['x'.repeat(2_049)]]],
      ['[0][2]: Values must be at most 2048 characters'],
    ],
    [
      'both, deep inside',
      [
        [
          'or',
          [
            ['is', 'page', ['/']],
            ['not', ['has', 'x', []]],
          ],
        ],
      ],
      [
        `[0][1][1][1][0]: Unknown operator "has". ${OPERATORS}`,
        `[0][1][1][1][1]: Unknown dimension "x". ${VALID_DIMENSIONS}`,
      ],
    ],
    [
      'more than a condition has',
      [['is', 'page', ['/'], { case_sensitive: true }, 1]],
      ['[0][4]: Must have at most four parts'],
    ],
    [
      'more than one list of and, or one filter of not',
      [
        ['and', [['is', 'page', ['/a']]], ['is', 'page', ['/b']]],
        ['not', ['is', 'page', ['/a']], ['is', 'page', ['/b']]],
      ],
      ['[0][2]: and takes one list of filters', '[1][2]: not takes one filter'],
    ],
    [
      'and, or of nothing',
      [
        ['and', []],
        ['or', []],
      ],
      ['[0][1]: Must have at least one filter', '[1][1]: Must have at least one filter'],
    ],
    [
      'a list for the case',
      [['is', 'page', ['/'], []]],
      ['[0][3]: Must be {"case_sensitive":true} or left out: is minds the case'],
    ],
    [
      'without regard to case',
      [['is', 'page', ['/'], { case_sensitive: false }]],
      ['[0][3]: Must be {"case_sensitive":true} or left out: is minds the case'],
    ],
  ])('%s', (_, filters, faults) => {
    expect(readFilters(JSON.stringify(filters))).toEqual({ faults });
  });

  test('are refused when they are not JSON', () => {
    expect(readFilters('[["is"')).toEqual({ faults: [`Is not readable JSON. ${FORM}`] });
  });

  test('nesting of more than 8', () => {
    const nested = (depth: number) => {
      let filter: unknown = ['is', 'page', ['/']];
      for (let level = 1; level < depth; level += 1) filter = ['not', filter];
      return JSON.stringify([filter]);
    };
    expect(readFilters(nested(8))).toHaveProperty('filter');
    expect(readFilters(nested(9))).toEqual({
      faults: [`[0]${'[1]'.repeat(8)}: Must be nested at most 8 deep`],
    });
  });

  test('more than 100 conditions', () => {
    const many = (count: number) => JSON.stringify(Array(count).fill(['is', 'os', ['iOS']]));
    expect(readFilters(many(100))).toHaveProperty('filter');
    expect(readFilters(many(101))).toEqual({ faults: ['Must have at most 100 conditions'] });
  });

  test('more than 8,192 characters', () => {
    expect(readFilters(`[${' '.repeat(8_190)}]`)).toHaveProperty('filter');
    expect(readFilters(`[${' '.repeat(8_191)}]`)).toEqual({ faults: ['Must be at most 8192 characters'] });
  });

  test('many faults are cut short, and names as well', () => {
    const faults = readFilters(JSON.stringify(Array(90).fill(['x'.repeat(50), 'page', []])));
    expect(faults).toHaveProperty('faults.length', 20);
    const long = readFilters(JSON.stringify([['is', 'y'.repeat(500), []]]));
    expect(long).toEqual({ faults: [`[0][1]: Unknown dimension "${'y'.repeat(60)}…". ${VALID_DIMENSIONS}`] });
  });
});

test('a pattern of many stars is like every page, one of ten thousand is refused', async () => {
  const metrics = await startMetrics();
  await metrics.track([{ at: '2026-11-20T10:00:00Z', visitor: 'ann', page: `/${'a'.repeat(200)}` }]);
  const ask = (stars: number, more = '') =>
    metrics.ask(
      `/stats?period=today&filters=${encodeURIComponent(JSON.stringify([['like', 'page', ['*'.repeat(stars) + more]]]))}`,
    );
  expect((await ask(2_048)).body).toMatchObject({ events: 1 });
  expect((await ask(2_047, 'b')).body).toMatchObject({ events: 0 });
  expect(await ask(2_049)).toMatchObject(
    refused({ filters: ['[0][2]: Values must be at most 2048 characters'] }),
  );
  expect(await ask(10_000)).toMatchObject(refused({ filters: ['Must be at most 8192 characters'] }));
  await metrics.close();
});

test('one of 200 texts is contained, in either form of a page', async () => {
  const metrics = await startMetrics();
  await metrics.track([{ at: '2026-11-20T10:00:00Z', visitor: 'ann', page: '/caf%C3%A9/Menu' }]);
  const others = Array.from({ length: 199 }, (_, index) => `/n%C3%A9${index}`);
  const ask = (operator: string, values: string[]) =>
    metrics.get(
      `/stats?period=today&filters=${encodeURIComponent(JSON.stringify([[operator, 'page', values]]))}`,
    );
  expect(await ask('contains', [...others, '%C3%A9/menu'])).toMatchObject({ events: 1 });
  expect(await ask('contains', ['É/menu', ...others])).toMatchObject({ events: 1 });
  expect(await ask('contains', others)).toMatchObject({ events: 0 });
  expect(await ask('contains_not', [...others, '%C3%A9/menu'])).toMatchObject({ events: 0 });
  await metrics.close();
});

describe('an and or an or of nothing is a 400', () => {
  let service: MetricsService;
  beforeAll(async () => {
    service = await startMetrics();
    await service.track([{ at: 1_000, visitor: 'a', page: '/' }]);
  });
  afterAll(() => service.close());

  const EMPTY = [
    ['is', 'page', ['/']],
    ['not', ['and', []]],
    ['or', []],
  ];
  const SENTENCES = ['[1][1][1]: Must have at least one filter', '[2][1]: Must have at least one filter'];

  test.each([
    '/stats?',
    '/stats/timeseries?',
    '/stats/breakdown?dimension=page&',
    '/stats/values?dimension=page&',
    '/stats/dashboard?',
    '/stats/realtime?',
    '/stats/realtime/stream?',
    '/stats/events?',
    '/stats/properties?',
    '/stats/properties/plan?',
    '/pages?',
    '/pages/detail?page=/&',
    '/sessions?',
    '/visits?',
    '/visitors?',
  ])('GET …%s', async (path) => {
    const filters = encodeURIComponent(JSON.stringify(EMPTY));
    expect(statusAndBody(await service.ask(`${path}filters=${filters}`))).toEqual(
      refused({ filters: SENTENCES }),
    );
  });

  test.each(['/erasures/preview', '/erasures'])('POST …%s', async (path) => {
    const body = { period: 'all', filters: EMPTY, events: 1 };
    const answer = await service.send('POST', service.base + path, { token: service.ada.token, body });
    expect(statusAndBody(answer)).toEqual(refused({ filters: SENTENCES }, 'Invalid request data'));
  });

  test('select everything as an empty list', async () => {
    expect(await service.get('/stats?filters=[]')).toEqual(await service.get('/stats'));
  });
});
