import { describe, expect, test } from 'bun:test';
import {
  changeOf,
  formatChange,
  formatCount,
  formatCountLong,
  formatCountOf,
  formatDecimal,
  formatDuration,
  formatMoney,
  formatPercent,
  unitOf,
} from '../../src/dashboard/state/format.ts';
import { METRIC_FORMATS } from '../../src/dashboard/state/metric-formats.ts';
import { METRICS } from '../../src/vocabulary/analytics.ts';

describe('figures', () => {
  for (const [count, short, long] of [
    [0, '0', '0'],
    [999, '999', '999'],
    [9_999, '9,999', '9,999'],
    [10_000, '10k', '10,000'],
    [12_345, '12.3k', '12,345'],
    [123_456, '123k', '123,456'],
    [999_950, '1M', '999,950'],
    [1_234_567, '1.23M', '1,234,567'],
  ] as const)
    test(`${count} is ${short} on a card and ${long} in a table`, () => {
      expect(formatCount(count)).toBe(short);
      expect(formatCountLong(count)).toBe(long);
    });

  for (const [fraction, text] of [
    [0, '0%'],
    [0.0004, '<0.1%'],
    [0.001, '0.1%'],
    [0.0123, '1.2%'],
    [0.1, '10%'],
    [0.456, '46%'],
    [1, '100%'],
  ] as const)
    test(`the part ${fraction} is ${text}`, () => expect(formatPercent(fraction)).toBe(text));

  for (const [seconds, text] of [
    [0, '0s'],
    [0.4, '0s'],
    [45, '45s'],
    [59.6, '1m'],
    [83, '1m 23s'],
    [3_599.6, '1h'],
    [7_500, '2h 5m'],
    [90_000, '25h'],
  ] as const)
    test(`${seconds} seconds are ${text}`, () => expect(formatDuration(seconds)).toBe(text));

  test.each([
    ['1', 'visitors', 'visitor'],
    ['0', 'visitors', 'visitors'],
    ['1k', 'pageviews', 'pageviews'],
    ['1', 'views per visit', 'view per visit'],
    ['1.5', 'views per visit', 'views per visit'],
    ['100%', 'rate', 'rate'],
  ])('behind %s stands of %s: %s', (figure, units, text) => expect(unitOf(figure, units)).toBe(text));

  test('formatCount gives a count its unit', () => {
    expect([0, 1, 12_345].map((count) => formatCountOf(count, 'visits'))).toEqual([
      '0 visits',
      '1 visit',
      '12,345 visits',
    ]);
  });

  test('a mean has one digit behind the point', () => {
    expect([2, 2.345].map(formatDecimal)).toEqual(['2', '2.3']);
  });
});

describe('changes', () => {
  for (const [percent, text, direction] of [
    [12.4, '+12%', 'up'],
    [-5.6, '−6%', 'down'],
    [0, '0%', 'same'],
    [2, '+2%', 'up'],
    [1.9, '+2%', 'same'],
    [-1.6, '−2%', 'same'],
    [0.4, '0%', 'same'],
    [-0.4, '0%', 'same'],
    [1_234, '+1,234%', 'up'],
    [null, 'New', 'new'],
  ] as const)
    test(`${percent} percent reads ${text}`, () =>
      expect(formatChange(percent)).toEqual({ text, direction }));

  test('of fewer than ten people it is neither good nor bad news', () => {
    expect(formatChange(50, 6, 9)).toEqual({ text: '+50%', direction: 'same' });
    expect(formatChange(null, 6, 6)).toEqual({ text: 'New', direction: 'same' });
    expect(formatChange(50, 15, 10)).toEqual({ text: '+50%', direction: 'up' });
  });

  test('0 after 0 is unchanged', () => {
    expect(formatChange(null, 0)).toEqual({ text: '0%', direction: 'same' });
  });

  test('two figures of a chart change as the service says it: null when the earlier one is 0', () => {
    expect([changeOf(15, 10), changeOf(5, 10), changeOf(5, 0)]).toEqual([50, -50, null]);
  });
});

describe('metrics', () => {
  test('every one has a name of its own and a form for cards and tables', () => {
    expect(new Set(METRICS.map((metric) => METRIC_FORMATS[metric].name)).size).toBe(METRICS.length);
    const forms = METRICS.map((metric) => {
      const { short, long } = METRIC_FORMATS[metric];
      return [short(0.256), long(0.256)];
    });
    expect(forms).toEqual([
      ['0', '0'],
      ['0', '0'],
      ['0', '0'],
      ['0', '0'],
      ['0.3', '0.26'],
      ['26%', '26%'],
      ['0s', '0s'],
    ]);
  });

  test('only a higher bounce rate is bad news', () => {
    expect(METRICS.filter((metric) => METRIC_FORMATS[metric].isBetterLow)).toEqual(['bounceRate']);
  });
});

describe('money', () => {
  test.each([
    ['1234.50', 'EUR', '€1,234.50'],
    ['1990', 'JPY', '¥1,990'],
    ['-0.05', 'USD', '−$0.05'],
    ['1.2345', 'UYW', 'UYW\u00a01.2345'],
    ['123456789012345678.90', 'EUR', '€123,456,789,012,345,678.90'],
  ])('%s %s', (amount, currency, text) => {
    expect(formatMoney({ amount, currency })).toBe(text);
  });
});
