import { describe, expect, test } from 'bun:test';
import { findDestination } from '../../src/checks/destination.ts';
import { PageFault } from '../../src/checks/page-fault.ts';

const PUBLIC = '93.184.215.14';

/** Outcome for an address, and for the addresses that the resolver gives for its name. */
async function outcome(
  address: string,
  resolved: string[] = [],
  registered = address,
  allowsLoopback = false,
): Promise<string[] | string> {
  try {
    const rules = { registered: new URL(registered), allowsLoopback };
    const found = await findDestination(new URL(address), rules, async () => resolved);
    return found.map(({ text }) => text);
  } catch (error) {
    if (error instanceof PageFault) return error.code;
    throw error;
  }
}

describe('a page is looked at', () => {
  const allowed: [string, string[], string[]][] = [
    ['https://example.com/', [PUBLIC], [PUBLIC]],
    ['http://example.com/', [PUBLIC, '2606:2800:21f::1'], [PUBLIC, '2606:2800:21f::1']],
    [`http://${PUBLIC}/`, [], [PUBLIC]],
    ['http://[2606:2800:21f::1]/', [], ['2606:2800:21f::1']],
    ['https://example.com:8443/', [PUBLIC], [PUBLIC]],
    ['https://example.com:1024/', [PUBLIC], [PUBLIC]],
    ['http://example.com:443/', [PUBLIC], [PUBLIC]],
  ];
  test.each(allowed)('%s at %p', async (address, resolved, expected) => {
    expect(await outcome(address, resolved)).toEqual(expected);
  });
});

describe('a page is not looked at', () => {
  const literal = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2001::1]',
    '[2002:7f00:1::]',
    '[2620:4f:8000::1]',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
  ];
  test.each(literal)('at http://%s/', async (host) => {
    expect(await outcome(`http://${host}/`)).toBe('page-private');
  });

  const names: [string, string[], string][] = [
    ['a name that stands for a loopback address', ['127.0.0.1'], 'page-private'],
    ['a name that stands for a private address', ['10.0.0.8'], 'page-private'],
    ['a name that stands for the metadata of a cloud', ['169.254.169.254'], 'page-private'],
    ['a name that stands for a mapped address', ['::ffff:192.168.0.1'], 'page-private'],
    ['a name with a public and a private address', [PUBLIC, '10.0.0.8'], 'page-private'],
    ['a name that resolves to a text', [PUBLIC, 'nonsense'], 'page-unreachable'],
    ['a name without addresses', [], 'page-unreachable'],
  ];
  test.each(names)('at %s', async (_sentence, resolved, code) => {
    expect(await outcome('https://example.com/', resolved)).toBe(code);
  });

  test('at another port than the registered one and those of the web', async () => {
    expect(await outcome('http://example.com:6379/', [PUBLIC], 'https://example.com/')).toBe(
      'page-unreachable',
    );
    expect(await outcome('http://example.com/', [PUBLIC], 'https://example.com:8443/')).toEqual([PUBLIC]);
  });

  test.each([22, 25, 79, 81, 442, 444, 1_023])('refuses port %d, whatever its registration', async (port) => {
    expect(await outcome(`https://example.com:${port}/`, [PUBLIC])).toBe('page-unreachable');
  });

  test('at a port of the machine itself but 80 and 443', async () => {
    const look = async (address: string) => {
      const registered = new URL(address);
      const rules = { registered, allowsLoopback: false, ownAddresses: () => [PUBLIC, '2606:2800:21f::1'] };
      return findDestination(registered, rules, async () => ['93.184.215.15', PUBLIC]).then(
        () => 'looked at',
        (error) => (error instanceof PageFault ? error.message : error),
      );
    };
    expect(await look('https://example.com:8443/')).toBe(
      'Port 8443 of example.com is on this server itself, where only ports 80 and 443 are checked.',
    );
    expect(await look('http://[2606:2800:21f:0::1]:8080/')).toStartWith('Port 8080');
    expect([await look('https://example.com/'), await look('http://example.com/')]).toEqual([
      'looked at',
      'looked at',
    ]);
  });

  test('by another scheme', async () => {
    for (const address of ['file:///etc/passwd', 'ftp://example.com/', 'data:text/html,x', 'javascript:1'])
      expect(await outcome(address, [PUBLIC], 'https://example.com/')).toBe('page-unreachable');
  });
});

describe('on the own machine of a developer', () => {
  const local = 'http://localhost:8080/';
  const table: [string, string[], string[] | string][] = [
    ['http://localhost:8080/', ['::1', '127.0.0.1'], ['::1', '127.0.0.1']],
    ['http://shop.localhost:8080/', ['127.0.0.1'], ['127.0.0.1']],
    ['http://127.0.0.1:8080/', [], ['127.0.0.1']],
    ['http://[::1]:8080/', [], ['::1']],
    ['http://localhost:6379/', ['127.0.0.1'], 'page-unreachable'],
    ['http://localhost/', ['127.0.0.1'], ['127.0.0.1']],
    ['http://localhost:8080/', ['10.0.0.8'], 'page-private'],
    ['http://10.0.0.8:8080/', [], 'page-private'],
    ['http://169.254.169.254/', [], 'page-private'],
    ['http://evil.example/', ['127.0.0.1'], 'page-private'],
    ['http://localhost.evil.example/', ['127.0.0.1'], 'page-private'],
  ];
  test.each(table)('%s at %p is answered with %p', async (address, resolved, expected) => {
    expect(await outcome(address, resolved, local, true)).toEqual(expected);
  });
});
