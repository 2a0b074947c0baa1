import { describe, expect, test } from 'bun:test';
import { clientAddress } from '../../src/http/client-address.ts';
import { parseIpAddress } from '../../src/network/ip-address.ts';
import { readTrustedProxies } from '../../src/network/trusted-proxies.ts';

const PEER = '192.0.2.1';
const toAddress = (text: string | null) => parseIpAddress(text ?? '') ?? null;

function resolve(
  forwardedFor: string | null,
  trustedProxies: number,
  peer: string | null = PEER,
): string | null {
  const headers = forwardedFor === null ? {} : { 'X-Forwarded-For': forwardedFor };
  const request = new Request('http://localhost/', { headers });
  return clientAddress(request, toAddress(peer), trustedProxies)?.text ?? null;
}

describe('the address of a client without trusted proxies', () => {
  test.each([0, -1, Number.NaN])('is the peer, whatever the header says (%p proxies)', (trustedProxies) => {
    expect(resolve('8.8.8.8', trustedProxies)).toBe(PEER);
  });

  test.each([
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::FFFF:7f00:1', '127.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    [null, null],
    ['', null],
    ['/run/pagemeter.sock', null],
  ])('%p becomes %p', (peer, expected) => {
    expect(resolve(null, 0, peer)).toBe(expected);
  });
});

describe('the address of a client behind n trusted proxies', () => {
  test.each([
    ['is the only entry', '8.8.8.8', 1, '8.8.8.8'],
    ['is the last entry behind one', '6.6.6.6, 8.8.8.8', 1, '8.8.8.8'],
    ['is the last but one behind two', '6.6.6.6, 8.8.8.8, 10.0.0.1', 2, '8.8.8.8'],
    ['is the leftmost when there are fewer entries', '8.8.8.8', 3, '8.8.8.8'],
    ['is found without spaces', '6.6.6.6,8.8.8.8', 1, '8.8.8.8'],
    ['is found among spaces and tabs', '6.6.6.6 ,\t 8.8.8.8 ', 1, '8.8.8.8'],
    ['loses its port', '8.8.8.8:567', 1, '8.8.8.8'],
    ['loses its brackets', '[2001:db8::1]', 1, '2001:db8::1'],
    ['loses its brackets and its port', '[2001:db8::1]:1234', 1, '2001:db8::1'],
    ['keeps the colons of IPv6', '2001:db8::1:1234', 1, '2001:db8::1:1234'],
    ['loses the mapping', '::ffff:8.8.8.8', 1, '8.8.8.8'],
    ['loses mapping, brackets and port', '[::ffff:8.8.8.8]:80', 1, '8.8.8.8'],
    ['loses the zone', 'fe80::1%eth0', 1, 'fe80::1'],
    ['counts an empty entry', '8.8.8.8,,10.0.0.1', 3, '8.8.8.8'],
  ])('%s (%p, %p)', (_title, forwardedFor, trustedProxies, expected) => {
    expect(resolve(forwardedFor, trustedProxies)).toBe(expected);
  });

  test.each([
    '',
    ',',
    'unknown',
    '_hidden',
    'localhost:80',
    '8.8.8',
    '8.8.8.8:port',
    '8.8.8.8:567:567',
    '[8.8.8.8',
    '[::1]x',
    '[::1]:123456',
    '"[::1]"',
    'for=8.8.8.8',
    '8.8.8.8 9.9.9.9',
    '8.8.8.8, unknown',
    '<script>',
    '1'.repeat(10_000),
    ','.repeat(10_000),
    '['.repeat(10_000),
  ])('%#: falls back to the peer when the entry is not an address', (forwardedFor) => {
    expect(resolve(forwardedFor, 1)).toBe(PEER);
  });

  test('is the peer without the header', () => {
    expect(resolve(null, 1)).toBe(PEER);
  });

  test('is found although the peer is a Unix socket', () => {
    expect(resolve('8.8.8.8', 1, null)).toBe('8.8.8.8');
  });

  test('is not taken from Forwarded', () => {
    const request = new Request('http://localhost/', { headers: { Forwarded: 'for=8.8.8.8' } });
    expect(clientAddress(request, toAddress(PEER), 1)?.text).toBe(PEER);
  });

  test('is read from repeated headers as from one list', () => {
    const headers = new Headers([
      ['X-Forwarded-For', '6.6.6.6'],
      ['X-Forwarded-For', '8.8.8.8'],
    ]);
    const request = new Request('http://localhost/', { headers });
    expect(clientAddress(request, toAddress(PEER), 1)?.text).toBe('8.8.8.8');
  });
});

describe('the address of a client behind proxies of named networks', () => {
  const through = (networks: string, peer: string | null, forwardedFor: string | null) => {
    const headers = forwardedFor === null ? {} : { 'X-Forwarded-For': forwardedFor };
    const request = new Request('http://localhost/', { headers });
    return clientAddress(request, toAddress(peer), readTrustedProxies(networks))?.text;
  };

  test.each([
    [
      'is the peer if it is not a proxy, whatever the header says',
      'loopback',
      '8.8.8.8',
      '1.1.1.1',
      '8.8.8.8',
    ],
    ['is what the proxy wrote', 'loopback', '127.0.0.1', '1.1.1.1, 8.8.8.8', '8.8.8.8'],
    [
      'is behind two, by the longer route',
      'loopback, 203.0.113.7',
      '127.0.0.1',
      '1.1.1.1, 8.8.8.8, 203.0.113.7',
      '8.8.8.8',
    ],
    [
      'is behind one of the two, by the shorter',
      'loopback, 203.0.113.7',
      '127.0.0.1',
      '1.1.1.1, 8.8.8.8',
      '8.8.8.8',
    ],
    [
      'is the one that claims to be behind a proxy',
      'loopback, 203.0.113.7',
      '127.0.0.1',
      '203.0.113.7, 8.8.8.8',
      '8.8.8.8',
    ],
    ['is found behind private networks', 'private', '172.18.0.3', '8.8.8.8, 192.168.1.1', '8.8.8.8'],
    ['is found in IPv6', 'fc00::/7', 'fd00::2', '[2001:db8::1]:99', '2001:db8::1'],
    [
      'is the last proxy when the header is unreadable',
      'loopback',
      '127.0.0.1',
      '8.8.8.8, unknown',
      '127.0.0.1',
    ],
    ['is the outermost proxy when there is no other address', 'private', '10.0.0.1', '10.0.0.9', '10.0.0.9'],
    ['is the peer without the header', 'private', '10.0.0.1', null, '10.0.0.1'],
  ])('%s', (_title, networks, peer, forwardedFor, expected) => {
    expect(through(networks, peer, forwardedFor)).toBe(expected);
  });

  test('is never what a client invents, by either of two routes of different depth', () => {
    const invented = [
      '1.1.1.1',
      '127.0.0.1',
      '203.0.113.7',
      'unknown',
      '10.0.0.1, 127.0.0.1',
      ',',
      '::1',
      '',
    ];
    const believed: string[] = [];
    for (let turn = 0; turn < 200; turn += 1) {
      const forged = Array.from(
        { length: (turn % 5) + 1 },
        (_, at) => invented[(turn * 7 + at * 3) % invented.length],
      );
      const route = turn % 2 === 0 ? ['8.8.8.8'] : ['8.8.8.8', '203.0.113.7'];
      const address = through('loopback,203.0.113.7', '127.0.0.1', [...forged, ...route].join(', '));
      if (address !== '8.8.8.8') believed.push(`${address}`);
    }
    expect(believed).toEqual([]);
  });

  test('takes a list of 10,000 entries for what it is', () => {
    expect(through('loopback', '127.0.0.1', `${'127.0.0.1,'.repeat(9_999)}8.8.8.8`)).toBe('8.8.8.8');
  });

  test.each([
    'constructor',
    'yes',
    '',
    '10.0.0.0/33',
    'loopback,',
    '10.0.0.1;10.0.0.2',
    '11',
    '-1',
    '1.5',
    'fe80::1%eth0',
  ])('%p is not a list', (text) => {
    expect(() => readTrustedProxies(text)).toThrow();
  });
});

describe('the address of a client that a proxy names in a header of its own', () => {
  const HEADER = 'cf-connecting-ip';
  const named = (peer: string, forwardedFor: string | null, value: string | null) => {
    const headers = new Headers();
    if (forwardedFor !== null) headers.set('X-Forwarded-For', forwardedFor);
    if (value !== null) headers.set(HEADER, value);
    const proxies = readTrustedProxies('127.0.0.1, 203.0.113.0/24');
    const request = new Request('http://localhost/', { headers });
    return clientAddress(request, toAddress(peer), proxies, HEADER)?.text;
  };

  test.each([
    ['is read when the peer is such a proxy', '203.0.113.7', null, '8.8.8.8', '8.8.8.8'],
    ['is read behind our own proxy', '127.0.0.1', '203.0.113.7', '8.8.8.8', '8.8.8.8'],
    ['is not read from an untrusted client', '198.51.100.1', null, '8.8.8.8', '198.51.100.1'],
    [
      'is not read when the client bypassed the network',
      '127.0.0.1',
      '198.51.100.1',
      '8.8.8.8',
      '198.51.100.1',
    ],
    ['is not read when the list names the visitor', '203.0.113.7', '1.1.1.1', '8.8.8.8', '1.1.1.1'],
    [
      'falls back to the proxy when it is not an address',
      '203.0.113.7',
      null,
      'not-an-address',
      '203.0.113.7',
    ],
    ['falls back to the proxy when it is absent', '203.0.113.7', null, null, '203.0.113.7'],
  ])('%s', (_, peer, forwardedFor, value, expected) => {
    expect(named(peer, forwardedFor, value)).toBe(expected);
  });
});
