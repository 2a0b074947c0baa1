import { describe, expect, test } from 'bun:test';
import { createUserAgents } from '../../src/events/user-agent.ts';
import { EVENT_TEXTS } from '../../src/vocabulary/event-texts.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { BOTS, BROWSERS, DEVICES, PEOPLE } from './user-agents.ts';

const { describe: describeUserAgent } = createUserAgents();

describe('a User-Agent', () => {
  test.each(BROWSERS)('of %s is read', (_title, userAgent, expected) => {
    expect(describeUserAgent(userAgent)).toEqual(expected);
  });

  test.each(BOTS)('of %s is flagged as a bot', (_title, userAgent, expected) => {
    expect(describeUserAgent(userAgent)).toEqual(expected);
  });

  test.each(DEVICES)('of %s says %s', (userAgent, expected) => {
    const { deviceType, os, browser } = describeUserAgent(userAgent);
    expect([deviceType, os, browser].join(', ')).toBe(expected);
  });

  test.each(PEOPLE)('with a word of bots in a name of people is of a person: %s', (userAgent) => {
    expect(describeUserAgent(userAgent).isBot).toBe(false);
  });

  test.each([
    ['missing', null],
    ['empty', ''],
  ])('a user agent that is %s has no names and is not a bot', (_title, userAgent) => {
    expect(describeUserAgent(userAgent)).toEqual({ isBot: false });
  });

  test.each([
    ['no words', '%%% ~~~ %%%'],
    ['spaces', '      '],
    ['emoji', '😀👩‍💻'.repeat(40)],
    ['text in another script', 'ブラウザ ブラウザ'],
    ['broken surrogates', '\ud800\udfff\udc00 \ud800'],
    ['names of the prototype', 'constructor __proto__ toString'],
  ])('of %s names no browser, system or device', (_title, userAgent) => {
    const { isBot: _, bot: __, ...named } = describeUserAgent(userAgent);
    expect(named).toEqual({});
  });

  test('is answered alike in whatever case its words are written', () => {
    const userAgent =
      'mozilla/5.0 (x11; linux x86_64) applewebkit/537.36 (khtml, like gecko) chrome/131 safari/537';
    expect(describeUserAgent(userAgent.toUpperCase())).toEqual(describeUserAgent(userAgent));
  });

  test('keeps the names within the bound of an event', () => {
    for (const [, userAgent] of [...BROWSERS, ...BOTS]) {
      const { browser = '', os = '' } = describeUserAgent(userAgent);
      expect(Math.max(browser.length, os.length)).toBeLessThanOrEqual(EVENT_TEXTS.browser.lengthMax);
    }
  });

  test('gives the same answer from memory, and one that cannot be changed', () => {
    const [, userAgent] = BROWSERS[0] ?? ['', '', {}];
    const first = describeUserAgent(userAgent);
    expect(describeUserAgent(userAgent)).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  test('is still known after 2,048 others, and read again after 4,096', () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0 kept';
    const first = describeUserAgent(userAgent);
    for (let index = 0; index < 2_048; index++) describeUserAgent(`first/${index}`);
    expect(describeUserAgent(userAgent)).toBe(first);
    for (let index = 0; index < 4_096; index++) describeUserAgent(`second/${index}`);
    const again = describeUserAgent(userAgent);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});

/** It takes 5, and 13 for the first one, which compiles the patterns; one that goes astray takes seconds. */
const CPU_MS_MAX = 250;

describe('a hostile User-Agent', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36';

  test('of 100 KB is read by its first 512 characters, in next to no time', async () => {
    let description: unknown;
    const cpuMs = await cpuMsOf(() => {
      description = describeUserAgent(chrome + ' x'.repeat(50_000));
    });
    expect(cpuMs).toBeLessThan(CPU_MS_MAX);
    expect(description).toEqual({
      browser: 'Chrome',
      browserVersion: '131',
      os: 'Linux',
      deviceType: 'desktop',
      isBot: false,
    });
  });

  test.each([
    'naver(1.',
    '1.1.naver(',
    'droid ; ',
    'android 1; a ',
    '((((',
    '; _',
    ' miui',
    'version/1 ',
    'a',
    ' ',
  ])('that repeats %j for the sake of the patterns costs next to no time', async (seed) => {
    expect(await cpuMsOf(() => describeUserAgent(seed.repeat(20_000)))).toBeLessThan(CPU_MS_MAX);
  });
});
