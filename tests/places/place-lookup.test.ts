import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Reader } from 'mmdb-lib';
import { parseIpAddress } from '../../src/network/ip-address.ts';
import { openPlaceDatabase } from '../../src/places/place-database.ts';
import { createPlaceLookup, openPlaceLookup, type PlaceLookup } from '../../src/places/place-lookup.ts';
import { findRegionCode } from '../../src/places/region-codes.ts';
import { watchDatabases } from '../../src/places/watch-databases.ts';
import { buildDatabase, type DatabaseRecord } from './build-database.ts';

const onFailure = (error: unknown) => {
  throw error;
};
const packaged = createPlaceLookup({ onFailure });
const placeOf = (text: string, lookup: PlaceLookup = packaged) => {
  const address = parseIpAddress(text);
  return address && lookup.placeOf(address);
};
const countryOf = (text: string, lookup?: PlaceLookup) => placeOf(text, lookup)?.country;

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
  ])('%#: text that is not an address is unknown', (address) => {
    expect(countryOf(address)).toBeUndefined();
  });
});

const CITY = {
  city: { geoname_id: 2867714, names: { de: 'München', en: 'Munich' } },
  country: { geoname_id: 2921044, iso_code: 'DE', names: { en: 'Germany' } },
  subdivisions: [{ geoname_id: 2951839, iso_code: 'BY', names: { en: 'Bavaria' } }],
};
const NAMES_ONLY = { city: 'Munich (Moosach)', country_code: 'DE', state1: 'Bavaria', state2: '' };
const EVERYWHERE = (record: DatabaseRecord) => ({ '0.0.0.0/1': record, '128.0.0.0/1': record });

describe('a record of a database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'places-'));
  const path = join(folder, 'places.mmdb');
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each<[string, DatabaseRecord, object | undefined]>([
    ['a country code', { country_code: 'NZ' }, { country: 'NZ', region: null, city: null }],
    ['a country of MaxMind', { country: { iso_code: 'NZ' } }, { country: 'NZ', region: null, city: null }],
    ['a city of MaxMind', CITY, { country: 'DE', region: 'DE-BY', city: 'Munich, DE-BY, 2867714' }],
    [
      'a city of DB-IP, without codes and ids',
      {
        city: { names: { en: 'Munich (Moosach)' } },
        country: { iso_code: 'DE' },
        subdivisions: [{ names: { en: 'Bavaria' } }],
      },
      { country: 'DE', region: 'DE-BY', city: 'Munich, DE-BY' },
    ],
    ['names alone', NAMES_ONLY, { country: 'DE', region: 'DE-BY', city: 'Munich, DE-BY' }],
    [
      'a region without a code',
      { city: 'Kowloon', country_code: 'HK', state1: 'Kowloon City' },
      { country: 'HK', region: 'Kowloon City, HK', city: 'Kowloon, HK' },
    ],
    [
      'a city of no region',
      { city: 'Singapore', country_code: 'SG', state1: '' },
      { country: 'SG', region: null, city: 'Singapore, SG' },
    ],
    [
      'texts that are not names',
      { city: ' \u0007', country_code: 'SG', state1: '   ' },
      { country: 'SG', region: null, city: null },
    ],
    [
      'a text that is too long',
      { city: 'x'.repeat(250), country_code: 'SG' },
      { country: 'SG', region: null, city: `${'x'.repeat(100)}, SG` },
    ],
    [
      'values of other types',
      { city: { geoname_id: 'x', names: ['a'] }, country_code: 'SG', subdivisions: 'x' },
      { country: 'SG', region: null, city: null },
    ],
    ['a code that is none', { country_code: 'nowhere', city: 'Munich' }, undefined],
  ])('may hold %s', async (_title, record, expected) => {
    // The other record lets a file without a single country pass.
    writeFileSync(path, buildDatabase({ '8.0.0.0/8': record, '1.0.0.0/8': CITY, '2.0.0.0/8': CITY }));
    expect(placeOf('8.8.8.8', await openPlaceLookup({ paths: [path], folder, onFailure }))).toEqual(
      expected as never,
    );
  });

  test.each([
    ['DE', 'State of Berlin', 'DE-BE'],
    ['DE', 'Free and Hanseatic City of Hamburg', 'DE-HH'],
    ['FR', 'Ile-de-France', 'FR-IDF'],
    ['FR', "Provence-Alpes-Cote d'Azur", 'FR-PAC'],
    ['GB', 'England', 'GB-ENG'],
    ['US', 'California', 'US-CA'],
    ['US', 'District of Columbia', 'US-DC'],
    ['BR', 'Sao Paulo', 'BR-SP'],
    ['KR', 'Gyeonggi-do', 'KR-41'],
    ['RU', 'St.-Petersburg', 'RU-SPE'],
    ['CZ', 'Pardubice Region', 'CZ-53'],
    ['UA', 'Kyiv City', 'UA-30'],
    ['UA', 'Kyiv Oblast', 'UA-32'],
    ['RU', 'Moscow', 'RU-MOW'],
    ['RU', 'Moscow Oblast', 'RU-MOS'],
    ['HR', 'City of Zagreb', 'HR-21'],
    ['HR', 'Zagreb County', 'HR-01'],
    ['AR', 'Buenos Aires', 'AR-C'],
    ['BG', 'Sofia-grad', 'BG-22'],
    ['UA', 'Odessa', 'UA-51'],
    ['UA', 'Lviv', 'UA-46'],
    ['VN', 'Ho Chi Minh City (HCMC)', 'VN-SG'],
    ['XX', 'Anything', undefined],
    ['DE', 'constructor', undefined],
    ['DE', 'of the', undefined],
  ])('of %s names the region %j: its code is %s', (country, name, code) => {
    expect(findRegionCode(country, name)).toBe(code as never);
  });
});

describe('the files of GEO_DATABASE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'places-'));
  const path = join(folder, 'places.mmdb');
  afterAll(() => rmSync(folder, { recursive: true }));
  const open = (...paths: string[]) => openPlaceLookup({ paths, folder, onFailure });

  test('are two where IPv4 and IPv6 come apart', async () => {
    const [ipv4, ipv6] = [join(folder, 'ipv4.mmdb'), join(folder, 'ipv6.mmdb')];
    writeFileSync(ipv4, buildDatabase(EVERYWHERE(CITY)));
    writeFileSync(ipv6, buildDatabase({ '2001:4860::/32': { country_code: 'NZ' } }, { ipVersion: 6 }));
    for (const lookup of [await open(ipv4, ipv6), await open(ipv6, ipv4)]) {
      expect(placeOf('8.8.8.8', lookup)?.city).toBe('Munich, DE-BY, 2867714');
      expect(countryOf('2001:4860::1', lookup)).toBe('NZ');
      expect(countryOf('::ffff:8.8.8.8', lookup)).toBe('DE');
    }
  });

  test('may hold both families in one', async () => {
    writeFileSync(
      path,
      buildDatabase({ '8.0.0.0/8': CITY, '2001:4860::/32': { country_code: 'NZ' } }, { ipVersion: 6 }),
    );
    const lookup = await open(path);
    expect([countryOf('8.8.8.8', lookup), countryOf('2001:4860::1', lookup)]).toEqual(['DE', 'NZ']);
  });

  test('leave to the packaged one what they do not know', async () => {
    writeFileSync(path, buildDatabase({ '8.0.0.0/8': CITY }));
    const lookup = await open(path);
    expect(countryOf('133.11.0.1', lookup)).toBe('JP');
    expect(placeOf('2003::1', lookup)).toEqual({ country: 'DE', region: null, city: null });
    expect(placeOf('10.0.0.1', lookup)).toBeUndefined();
  });

  test.each<[string, Buffer | undefined, string]>([
    ['missing', undefined, 'ENOENT'],
    ['empty', Buffer.alloc(0), 'it is empty'],
    [
      'something else',
      Buffer.from('not a database'.repeat(1_000)),
      'it is cut short, compressed, or not in the MaxMind format (.mmdb)',
    ],
    [
      'cut short',
      buildDatabase(EVERYWHERE(CITY)).subarray(0, -250),
      'it is cut short, compressed, or not in the MaxMind format (.mmdb)',
    ],
    [
      'compressed',
      gzipSync(buildDatabase(EVERYWHERE(CITY))),
      'it is cut short, compressed, or not in the MaxMind format (.mmdb)',
    ],
    [
      'of networks',
      buildDatabase(EVERYWHERE({ autonomous_system_number: 15169 }), { type: 'GeoLite2-ASN' }),
      'it holds no countries (its type is GeoLite2-ASN)',
    ],
  ])('are refused with the reason: %s', async (title, content, reason) => {
    const broken = join(folder, `${title}.mmdb`);
    if (content) writeFileSync(broken, content);
    await expect(open(broken)).rejects.toThrow(`GEO_DATABASE ${broken} cannot be used: ${reason}`);
    expect(existsSync(join(folder, 'places-0.mmdb'))).toBe(false);
  });

  test('give an unknown place for a damaged record, not an error', async () => {
    const bytes = buildDatabase({ '8.0.0.0/8': CITY, '1.0.0.0/8': { country_code: 'NZ' } });
    bytes.fill(0xff, bytes.indexOf('city') - 1, bytes.indexOf('city') + 8);
    writeFileSync(path, bytes);
    const lookup = createPlaceLookup({ named: [{ reader: new Reader(bytes) }], onFailure });
    expect([countryOf('8.8.8.8', lookup), countryOf('1.1.1.1', lookup)]).toEqual([undefined, 'NZ']);
  });

  describe('are read again', () => {
    const write = (country: string) => buildDatabase(EVERYWHERE({ country_code: country }));

    async function watch() {
      const failures: string[] = [];
      writeFileSync(path, write('DE'));
      const named = [await openPlaceDatabase(path, 0, folder)];
      const lookup = createPlaceLookup({ named, onFailure });
      const look = watchDatabases([path], {
        named,
        folder,
        onFailure: (error) => failures.push(String(error)),
      });
      return { lookup, look, failures };
    }

    test.each<[string, (bytes: Buffer) => void]>([
      [
        'renamed over them',
        (bytes) => {
          writeFileSync(`${path}.new`, bytes);
          renameSync(`${path}.new`, path);
        },
      ],
      // One byte more: a clock that stands still would not show it.
      ['written over them', (bytes) => writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(1)]))],
      [
        'put in their place after they were removed',
        (bytes) => {
          rmSync(path);
          writeFileSync(path, bytes);
        },
      ],
    ])('when another is %s', async (_title, replace) => {
      const { lookup, look, failures } = await watch();
      expect(countryOf('8.8.8.8', lookup)).toBe('DE');
      replace(write('NZ'));
      await look();
      expect(countryOf('8.8.8.8', lookup)).toBe('DE'); // it may still be being written
      await look();
      expect(countryOf('8.8.8.8', lookup)).toBe('NZ');
      expect(failures).toEqual([]);
    });

    test('stay in use, with one warning, when the new file is cut short, unreadable or gone', async () => {
      const { lookup, look, failures } = await watch();
      const broken = [
        () => truncateSync(path, 100),
        () => writeFileSync(path, 'not a database'),
        () => rmSync(path),
      ];
      for (const [index, damage] of broken.entries()) {
        damage();
        for (let times = 0; times < 3; times += 1) await look();
        expect(countryOf(`8.8.8.${index}`, lookup)).toBe('DE');
      }
      expect(failures).toHaveLength(2);
      expect(failures[0]).toContain(`GEO_DATABASE ${path} cannot be used: it is cut short`);
      writeFileSync(path, write('FR'));
      for (let times = 0; times < 2; times += 1) await look();
      expect(countryOf('8.8.8.8', lookup)).toBe('FR');
    });
  });
});
