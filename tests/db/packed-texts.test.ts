import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { COMMON_BROWSERS, COMMON_LANGUAGES, COMMON_SYSTEMS } from '../../src/db/common-names.ts';
import { storedUrls } from '../../src/db/packed-address.ts';
import { packTexts, unpackTexts } from '../../src/db/packed-texts.ts';

const PAGE = 'https://example.com/pricing?plan=pro';
const NO_VERSIONS = { browserVersion: null, osVersion: null };
const ABSENT = { referrer: null, browser: null, os: null, language: null, screen: null, ...NO_VERSIONS };
const CHROME = { browser: 'Chrome', os: 'Windows', language: 'en-US', screen: '1920x1080' };

/** Web addresses, as the judge takes them, some of which mimic the stored forms. */
const address = fc
  .tuple(
    fc.constantFrom(
      'https://',
      'http://',
      'HTTPS://',
      'hTTp://',
      'https:///',
      'https://https://',
      'https://http:',
    ),
    fc.constantFrom(
      'example.com',
      'EXAMPLE.com:8443',
      'https',
      'http:80',
      '\uFEFFexample.com',
      'xn--80ak6aa92e.com',
      '[::1]',
      'ü@é.example',
    ),
    fc.constantFrom('', '/', '//', '/pricing', '?q=/x', '#/top', '/https://example.com/', '/\u{1F600}'),
    fc.oneof(fc.constant(''), fc.string({ unit: 'binary', maxLength: 12 })),
  )
  .map((parts) => parts.join('').toWellFormed());
const optional = (...arbitraries: fc.Arbitrary<string>[]) => fc.option(fc.oneof(...arbitraries));
const anyText = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed());
const side = fc.oneof(
  fc.nat(5_000).map(String),
  fc.constantFrom('0', '007', '4095', '4096', '-1', '1e3', '', ' 8'),
);
/** The log itself takes any text, so that nothing depends on who has looked at it before. */
const anyAddress = fc.oneof(
  address,
  anyText,
  fc.constantFrom(
    '',
    '/',
    '//',
    '///',
    '/pricing',
    '//a.example/',
    'example.com/pricing',
    'android-app://a.b/',
  ),
);
const version = fc.oneof(
  fc.nat(300).map(String),
  fc.constantFrom(null, '65535', '65536', '007', 'XP', '1e2'),
);
/** A version has a name. */
const named = (...names: fc.Arbitrary<string>[]) =>
  fc
    .tuple(optional(...names), version)
    .map(([name, number]) => [name, name === null ? null : number] as const);
const textsWith = (addresses: fc.Arbitrary<string>) =>
  fc
    .record({
      url: addresses,
      referrer: optional(addresses),
      browser: named(fc.constantFrom(...COMMON_BROWSERS), anyText),
      os: named(fc.constantFrom(...COMMON_SYSTEMS), anyText),
      language: optional(fc.constantFrom(...COMMON_LANGUAGES), anyText),
      screen: optional(
        fc.tuple(side, fc.constantFrom('x', 'X', '×', ''), side).map((parts) => parts.join('')),
        anyText,
      ),
    })
    .map(({ browser, os, ...rest }) => ({
      ...rest,
      browser: browser[0],
      browserVersion: browser[1],
      os: os[0],
      osVersion: os[1],
    }));

describe('the shorter forms of the log', () => {
  test('whatever was sent comes back as it was', () => {
    fc.assert(
      fc.property(textsWith(anyAddress), (sent) => {
        expect(unpackTexts(packTexts(sent))).toEqual(sent);
      }),
      { numRuns: 5_000 },
    );
  });

  test('a referrer on the same website comes back, whichever page it is on', () => {
    fc.assert(
      fc.property(address, anyText, (url, path) => {
        const sent = { ...ABSENT, url, referrer: `${/^\w+:\/\/[^/]*/.exec(url)?.[0]}/${path}` };
        expect(unpackTexts(packTexts(sent))).toEqual(sent);
      }),
    );
  });

  test('a row of before, with texts as they were sent, is read as it is', () => {
    fc.assert(
      fc.property(textsWith(address), (given) => {
        fc.pre(!`${given.browser}${given.os}`.includes('\u001f')); // no sender may submit it
        const sent = { ...given, ...NO_VERSIONS };
        expect(unpackTexts(sent)).toEqual(sent);
      }),
    );
  });

  test('an address is found under every form that the log may hold, and under none of another', () => {
    fc.assert(
      fc.property(address, anyAddress, (url, other) => {
        expect(storedUrls(url)).toContain(url);
        expect(storedUrls(url)).toContain(packTexts({ ...ABSENT, url }).url);
        if (other !== url) expect(storedUrls(url)).not.toContain(packTexts({ ...ABSENT, url: other }).url);
        if (other !== url) expect(storedUrls(other)).not.toContain(packTexts({ ...ABSENT, url }).url);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['a page over https, without the scheme', { url: PAGE }, { url: 'example.com/pricing?plan=pro' }],
    ['a page over http, as it is', { url: 'http://example.com/' }, { url: 'http://example.com/' }],
    [
      'a page of the same website before it, without the origin',
      { referrer: 'https://example.com/' },
      { referrer: '/' },
    ],
    [
      'another port is another origin',
      { referrer: 'https://example.com:1/' },
      { referrer: 'example.com:1/' },
    ],
    [
      'a longer host is another origin',
      { referrer: 'https://example.com.br/' },
      { referrer: 'example.com.br/' },
    ],
  ])('%s', (_, given, stored) => {
    expect(packTexts({ ...ABSENT, url: PAGE, ...given })).toMatchObject(stored);
  });

  test('browser, system, language and screen are six bytes together', () => {
    expect(packTexts({ ...ABSENT, url: PAGE, ...CHROME })).toEqual({
      url: 'example.com/pricing?plan=pro',
      referrer: null,
      browser: Uint8Array.of(1, 1, 1, 0x78, 0x04, 0x38),
      os: null,
      language: null,
      screen: null,
    });
  });

  test('versions are three bytes more', () => {
    const versioned = { ...ABSENT, url: PAGE, ...CHROME, browserVersion: '141', osVersion: '11' };
    const packed = packTexts(versioned);
    expect(packed.browser).toEqual(Uint8Array.of(1, 1, 1, 0x78, 0x04, 0x38, 0, 141, 11));
    expect(unpackTexts(packed)).toEqual(versioned);
  });

  test('a version that has no code stands behind its name', () => {
    const old = { ...ABSENT, url: PAGE, ...CHROME, browserVersion: '49', osVersion: 'XP' };
    expect(packTexts(old)).toMatchObject({ browser: 'Chrome\u001f49', os: 'Windows\u001fXP' });
    expect(unpackTexts(packTexts(old))).toEqual(old);
  });

  test.each([
    ['a browser', { browser: 'Netscape' }],
    ['a system', { os: 'BeOS' }],
    ['a spelling of a language', { language: 'EN-us' }],
    ['a spelling of a size', { screen: '1920 x 1080' }],
    ['a size', { screen: '5120x1440' }],
  ])('%s that has no code leaves all four as texts', (_, odd) => {
    expect(packTexts({ ...ABSENT, url: PAGE, ...CHROME, ...odd })).toMatchObject({ ...CHROME, ...odd });
  });

  test('a code that this version does not know is an error, not another name', () => {
    const browser = Uint8Array.of(255, 1, 1, 0, 0, 0);
    expect(() => unpackTexts({ ...ABSENT, url: PAGE, browser })).toThrow('number 255');
  });
});

/** Codes in the database are places in these lists. When names are added behind them, nothing here changes. */
describe('the common names', () => {
  test.each([
    ['browsers', COMMON_BROWSERS, 44, '3d9c745cee4a7141'],
    ['systems', COMMON_SYSTEMS, 24, 'a341988852968136'],
    ['languages', COMMON_LANGUAGES, 146, '1c5637f33ab7d2de'],
  ])('%s keep their order', (_, names, count, hash) => {
    expect(Bun.SHA256.hash(names.slice(0, count).join('\n'), 'hex').slice(0, 16)).toBe(hash);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeLessThanOrEqual(255);
  });
});
