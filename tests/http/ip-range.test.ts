import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseIpAddress } from '../../src/network/ip-address.ts';
import { canonicalGroup, isInRange, parseIpRange } from '../../src/network/ip-range.ts';

/** False also when the range is refused, which the table of refusals keeps apart. */
function contains(range: string, address: string): boolean {
  const parsed = parseIpRange(range);
  const candidate = parseIpAddress(address);
  return parsed !== undefined && candidate !== undefined && isInRange(candidate, parsed);
}

describe('a range of addresses', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['1.2.3.4', '::ffff:1.2.3.4'],
    ['1.2.3.4/32', '1.2.3.4'],
    ['10.0.0.0/8', '10.255.255.255'],
    ['10.1.2.3/8', '10.200.0.1'],
    ['0.0.0.0/0', '255.255.255.255'],
    ['::ffff:10.0.0.0/104', '10.1.2.3'],
    ['::ffff:0:0/96', '8.8.8.8'],
    ['2001:db8::1', '2001:DB8:0:0::1'],
    ['2001:db8::/32', '2001:db8:ffff::1'],
    ['2001:db8::/128', '2001:db8::'],
    ['fe80::/10', 'fe80::1%eth0'],
    ['::/0', '2001:db8::1'],
  ])('%s holds %s', (range, address) => {
    expect(contains(range, address)).toBe(true);
  });

  test.each([
    ['1.2.3.4', '1.2.3.5'],
    ['10.0.0.0/8', '11.0.0.0'],
    ['10.0.0.0/8', '9.255.255.255'],
    ['192.168.0.0/17', '192.168.128.0'],
    ['2001:db8::/33', '2001:db8:8000::'],
    ['::/0', '8.8.8.8'],
    ['0.0.0.0/0', '::1'],
    ['10.0.0.0/8', 'garbage'],
    ['10.0.0.0/8', ''],
    ['10.0.0.0/8', '10.0.0.1:80'],
  ])('%s does not hold %s', (range, address) => {
    expect(parseIpRange(range)).toBeDefined();
    expect(contains(range, address)).toBe(false);
  });

  test.each([
    '',
    '/',
    '/8',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/8.0',
    '10.0.0.0/1e1',
    '10.0.0.0/ 8',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10.0.0',
    '10.0.0.0 ',
    '010.0.0.0/8',
    '10.0.0.*',
    '10.0.0.1-10.0.0.9',
    '2001:db8::/129',
    '2001:db8:::/32',
    '[2001:db8::]/32',
    'fe80::1%eth0',
    'fe80::%eth0/10',
    '::ffff:10.0.0.0/95',
    `10.0.0.0/${'8'.repeat(100_000)}`,
  ])('%#: text that is not a range is refused', (text) => {
    expect(parseIpRange(text)).toBeUndefined();
  });

  test('holds exactly the IPv4 addresses that share its prefix', () => {
    const address = fc.nat({ max: 0xffff_ffff });
    fc.assert(
      fc.property(
        address,
        address,
        fc.nat({ max: 32 }),
        fc.nat({ max: 31 }),
        (base, other, bits, flipped) => {
          for (const candidate of [other, (base ^ (1 << flipped)) >>> 0, base]) {
            const isShared = bits === 0 || base >>> (32 - bits) === candidate >>> (32 - bits);
            expect(contains(`${toIpv4(base)}/${bits}`, toIpv4(candidate))).toBe(isShared);
          }
        },
      ),
    );
  });

  test('holds exactly the IPv6 addresses that share its prefix', () => {
    // Outside of ::/16, so that none of them stands for an IPv4 address.
    const address = fc.bigInt({ min: 1n << 112n, max: (1n << 128n) - 1n });
    fc.assert(
      fc.property(
        address,
        address,
        fc.nat({ max: 128 }),
        fc.nat({ max: 111 }),
        (base, other, bits, flipped) => {
          for (const candidate of [other, base ^ (1n << BigInt(flipped)), base]) {
            const isShared = base >> BigInt(128 - bits) === candidate >> BigInt(128 - bits);
            expect(contains(`${toIpv6(base)}/${bits}`, toIpv6(candidate))).toBe(isShared);
          }
        },
      ),
    );
  });
});

describe('the group of an address', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:1:2:3', '0:0:0:0::/64'],
  ])('%s is %s', (address, group) => {
    const parsed = parseIpAddress(address);
    expect(parsed && canonicalGroup(parsed)).toBe(group);
  });
});

function toIpv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');
}

function toIpv6(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  ).join(':');
}
