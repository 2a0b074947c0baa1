import { describe, expect, test } from 'bun:test';
import { nameOfValue } from '../../src/dashboard/state/value-names.ts';

describe('values of dimensions', () => {
  for (const [dimension, value, name] of [
    ['country', 'DE', 'Germany'],
    ['country', 'XK', 'Kosovo'],
    ['country', 'QX', 'QX'],
    ['country', 'Berlin', 'Berlin'],
    ['country', null, 'Unknown'],
    ['language', 'pt-BR', 'Brazilian Portuguese'],
    ['language', 'made_$up', 'made_$up'],
    ['deviceType', 'mobile', 'Mobile'],
    ['source', null, 'Direct / none'],
    ['utmCampaign', null, '(none)'],
    ['property:plan', null, '(none)'],
    ['page', '/DE', '/DE'],
    ['page', '/a\u202egpj.exe', '/a[U+202E]gpj.exe'],
    ['page', '/\u0645\u0647\u0645\u0629', '/\u0645\u0647\u0645\u0629'],
  ] as const)
    test(`${dimension} ${value} is called ${name}`, () => expect(nameOfValue(dimension, value)).toBe(name));
});
