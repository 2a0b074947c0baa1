import { describe, expect, test } from 'bun:test';
import { eventName, readProperties } from '../../../src/analytics/derive/properties.ts';
import { toText } from '../../../src/analytics/derive/text.ts';
import { EVENT_TYPES } from '../../../src/vocabulary/contract.ts';

const LONG = 'a'.repeat(300);

describe('the properties of an event', () => {
  test.each([
    ['{"a":"b"}', [['a', 'b', undefined]]],
    [
      '{"n":2.50,"m":-0,"o":1e21}',
      [
        ['n', '2.5', 2.5],
        ['m', '0', -0],
        ['o', '1e+21', 1e21],
      ],
    ],
    [
      '{"a":true,"b":[1,{"c":null}],"d":{}}',
      [
        ['a', 'true', undefined],
        ['b', '[1,{"c":null}]', undefined],
        ['d', '{}', undefined],
      ],
    ],
    ['{"a":null,"b":"","c":" "}', [['c', ' ', undefined]]],
    ['{"\\u0000":1,"\\ud800":2}', [['\ufffd', '2', 2]]],
    ['{"a":1,"a":null}', []],
    [`{"${LONG}":"${LONG}"}`, [[LONG.slice(0, 255), LONG.slice(0, 255), undefined]]],
    [
      `{"revenue":{"items":["${LONG}"],"amount":"7.50","currency":"EUR"}}`,
      [['revenue', '{"amount":"7.50","currency":"EUR"}', undefined]],
    ],
    [`{"revenue":["${LONG}"]}`, [['revenue', `["${LONG.slice(0, 253)}`, undefined]]],
    ['[1]', []],
    ['"a"', []],
    ['null', []],
    ['{', []],
    ['', []],
  ] as [string, [string, string, number | undefined][]][])('%s', (json, properties) => {
    const read = readProperties(json).map(({ key, value, number }) => [key, value, number]);
    expect(read).toEqual(properties);
  });
});

describe('the name of an event', () => {
  test.each([
    ['custom', '{"name":"signup"}', 'signup'],
    ['custom', '{"name":"\\u0000"}', '\ufffd'],
    ['custom', `{"name":"${LONG}"}`, LONG.slice(0, 255)],
    ['custom', '{"name":1}', ''],
    ['custom', '{"name":true}', ''],
    ['custom', '{"name":["a"]}', ''],
    ['custom', '{"name":""}', ''],
    ['custom', '{}', ''],
    ['pageview', '{"name":"signup"}', ''],
    ['click', '{"name":"signup"}', ''],
  ] as const)('%s %s', (type, json, name) => {
    expect(eventName(EVENT_TYPES.indexOf(type), readProperties(json), json)).toBe(name);
  });
});

test.each([
  ['a', 'a'],
  ['', ''],
  ['\0a\0', '\ufffda\ufffd'],
  ['\ud800', '\ufffd'],
  [LONG, LONG.slice(0, 255)],
  [`${'a'.repeat(254)}😀`, `${'a'.repeat(254)}\ufffd`],
])('a text is such that it can be stored', (text, stored) => {
  expect(toText(text)).toBe(stored);
});
