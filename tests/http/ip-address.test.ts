import { describe, expect, test } from 'bun:test';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { parseIpAddress } from '../../src/network/ip-address.ts';

describe('an address', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:102:304', '1.2.3.4'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['1:23:4::6:1.2.3.4', '1:23:4::6:102:304'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is %s', (text, canonical) => {
    expect(parseIpAddress(text)?.text).toBe(canonical);
  });

  test.each([
    '',
    'garbage',
    '1.2.3.4:80',
    '[::1]',
    '2001:db8::/64',
    '1.2.3',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.4%eth0',
    '::ffff:010.0.0.1',
    '::1%',
    '::1%a b',
    `::${':'.repeat(60)}`,
  ])('%j is none', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  test('is whatever the system takes for one', () => {
    const character = fc.constantFrom(...'0123456789abcdefF:::....%/x ');
    const place = fc.nat({ max: 40 });
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV4(), fc.ipV6()),
        fc.array(fc.tuple(place, fc.nat({ max: 1 }), fc.option(character)), { maxLength: 3 }),
        (address, changes) => {
          let text = address;
          for (const [at, removed, added] of changes)
            text = text.slice(0, at) + (added ?? '') + text.slice(at + removed);
          expect({ text, isOne: parseIpAddress(text) !== undefined }).toEqual({
            text,
            isOne: isIP(text) !== 0,
          });
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
