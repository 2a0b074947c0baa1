import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCountryDatabaseFault, openCountryDatabase } from '../../src/events/country.ts';
import { parseIpAddress } from '../../src/network/ip-address.ts';
import { buildDatabase } from './one-record-database.ts';

const packaged = openCountryDatabase();
const countryOf = (text: string, database = packaged) => {
  const address = parseIpAddress(text);
  return address && database.countryOf(address);
};

describe('the country of an address', () => {
  test.each([
    ['8.8.8.8', 'US'],
    ['128.101.101.101', 'US'],
    ['194.25.0.60', 'DE'],
    ['80.130.1.1', 'DE'],
    ['212.27.48.10', 'FR'],
    ['133.11.0.1', 'JP'],
    ['200.160.2.3', 'BR'],
    ['131.111.8.42', 'GB'],
    ['2001:4860:4860::8888', 'US'],
    ['2003::1', 'DE'],
    ['2a01:e0c:1::1', 'FR'],
    ['2001:12ff:0:2::3', 'BR'],
    ['2001:67C:2E8:22:0:0:C100:68B', 'NL'],
  ])('%s is %s', (address, country) => {
    expect(countryOf(address)).toBe(country);
  });

  test.each(['::ffff:8.8.8.8', '::FFFF:0808:0808', '0:0:0:0:0:ffff:8.8.8.8', '2001:4860:4860::8888%eth0'])(
    '%s is read as the address inside',
    (address) => {
      expect(countryOf(address)).toBe('US');
    },
  );

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.5',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:192.168.1.1',
    'fe80::1%eth0',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '64:ff9b::808:808',
  ])('%s, which is not public, is unknown', (address) => {
    expect(countryOf(address)).toBeUndefined();
  });

  test.each([
    '',
    ' ',
    'unknown',
    '8.8.8',
    '8.8.8.8.8',
    '8.8.8.256',
    '08.8.8.8',
    '8.8.8.8 ',
    '8.8.8.8:80',
    '[::1]',
    ':::',
    '1::2::3',
    '2001:4860:4860::8888%',
    '8.8.8.8\0',
    '２.2.2.2',
    `2001:4860:4860::8888%${'a'.repeat(100_000)}`,
    '1'.repeat(100_000),
  ])('%#: text that is no address is unknown', (address) => {
    expect(countryOf(address)).toBeUndefined();
  });
});

describe('a country database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'country-'));
  const path = join(folder, 'country.mmdb');
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['country_code', { country_code: 'NZ' }, 'NZ'],
    ['country.iso_code', { country: { iso_code: 'NZ' } }, 'NZ'],
    ['a code that is none', { country_code: 'nowhere' }, undefined],
    ['no country', { city: 'Wellington' }, undefined],
  ])('of another publisher may hold %s', (_title, record, expected) => {
    writeFileSync(path, buildDatabase(record));
    expect(countryOf('8.8.8.8', openCountryDatabase({ path }))).toBe(expected);
  });

  test('that GEO_DATABASE names is looked at before the service starts', () => {
    const named = join(folder, 'named.mmdb');
    expect(findCountryDatabaseFault(named)).toBe(`GEO_DATABASE ${named} cannot be read: ENOENT`);
    writeFileSync(named, 'not a database');
    expect(findCountryDatabaseFault(named)).toContain('is not in the MaxMind format');
    writeFileSync(named, buildDatabase({ country_code: 'NZ' }));
    expect(findCountryDatabaseFault(named)).toBeUndefined();
  });

  test('is not touched before the first public address', () => {
    const failures: unknown[] = [];
    const database = openCountryDatabase({
      path: join(folder, 'missing'),
      onFailure: (error) => failures.push(error),
    });
    expect(countryOf('10.0.0.1', database)).toBeUndefined();
    expect(failures).toEqual([]);
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['something else', 'not a database'.repeat(1_000)],
  ])('that is %s is reported once, and every country is unknown', (title, content) => {
    const brokenPath = join(folder, title);
    if (content !== undefined) writeFileSync(brokenPath, content);
    const failures: unknown[] = [];
    const database = openCountryDatabase({ path: brokenPath, onFailure: (error) => failures.push(error) });
    expect([countryOf('8.8.8.8', database), countryOf('8.8.4.4', database)]).toEqual([undefined, undefined]);
    expect(failures).toHaveLength(1);
  });

  test('with damaged records is an unknown country, not an error', () => {
    const bytes = buildDatabase({ country_code: 'NZ' });
    bytes.fill(0xff, 22, 30);
    writeFileSync(path, bytes);
    expect(countryOf('8.8.8.8', openCountryDatabase({ path }))).toBeUndefined();
  });
});
