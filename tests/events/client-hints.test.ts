import { describe, expect, test } from 'bun:test';
import { readClientHints } from '../../src/events/client-hints.ts';
import { createUserAgents } from '../../src/events/user-agent.ts';

const { describe: describeUserAgent } = createUserAgents();

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';
const LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`;
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`;
const PHONE = `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`;
const TABLET = `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Safari/537.36`;
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

/** @param hints by the end of the header's name */
function read(userAgent: string, hints: Record<string, string>): string {
  const headers = new Headers(Object.entries(hints).map(([name, value]) => [`sec-ch-ua${name}`, value]));
  const { browser, browserVersion, os, osVersion, deviceType } = describeUserAgent(
    userAgent,
    readClientHints(headers),
  );
  return `${browser} ${browserVersion} on ${os} ${osVersion}, ${deviceType}`;
}

describe('client hints', () => {
  test.each([
    [
      'a phone that asks for desktop pages',
      LINUX,
      { '-mobile': '?1', '-platform': '"Android"' },
      'Chrome 141 on Android undefined, mobile',
    ],
    [
      'a tablet that asks for desktop pages',
      LINUX,
      { '-mobile': '?0', '-platform': '"Android"' },
      'Chrome 141 on Android undefined, tablet',
    ],
    [
      'a Chromebook that says Linux',
      LINUX,
      { '-mobile': '?0', '-platform': '"Chrome OS"' },
      'Chrome 141 on Chrome OS undefined, desktop',
    ],
    [
      'Windows 11',
      WINDOWS,
      { '-platform': '"Windows"', '-platform-version': '"15.0.0"' },
      'Chrome 141 on Windows 11, desktop',
    ],
    [
      'Windows 10',
      WINDOWS,
      { '-platform': '"Windows"', '-platform-version': '"10.0.0"' },
      'Chrome 141 on Windows 10, desktop',
    ],
    [
      'Windows 7',
      WINDOWS,
      { '-platform': '"Windows"', '-platform-version': '"0.1.0"' },
      'Chrome 141 on Windows 10, desktop',
    ],
    [
      'the version of Android',
      PHONE,
      { '-platform': '"Android"', '-platform-version': '"15.0.0"' },
      'Chrome 141 on Android 15, mobile',
    ],
    [
      'a phone without the word',
      TABLET,
      { '-mobile': '?1', '-platform': '"Android"' },
      'Chrome 141 on Android 10, mobile',
    ],
    [
      'the model of a tablet',
      PHONE,
      { '-mobile': '?1', '-platform': '"Android"', '-model': '"SM-T515"' },
      'Chrome 141 on Android 10, tablet',
    ],
    [
      'the model of a television',
      TABLET,
      { '-mobile': '?0', '-platform': '"Android"', '-model': '"BRAVIA 4K"' },
      'Chrome 141 on Android 10, desktop',
    ],
    [
      'Brave',
      WINDOWS,
      { '': '"Brave";v="140", "Chromium";v="140"', '-platform': '"Windows"' },
      'Brave 140 on Windows 10, desktop',
    ],
  ])('tell %s', (_title, userAgent, hints, expected) => {
    expect(read(userAgent, hints)).toBe(expected);
  });

  test.each([
    [
      'a phone on Windows',
      WINDOWS,
      { '-mobile': '?1', '-platform': '"Android"' },
      'Chrome 141 on Windows 10, desktop',
    ],
    [
      'a computer on Android',
      PHONE,
      { '-mobile': '?0', '-platform': '"Windows"' },
      'Chrome 141 on Android 10, mobile',
    ],
    [
      'Android on an iPhone',
      IPHONE,
      { '-mobile': '?0', '-platform': '"Android"' },
      'Safari 17 on iOS 17, mobile',
    ],
  ])('that contradict the User-Agent are not believed: %s', (_title, userAgent, hints, expected) => {
    expect(read(userAgent, hints)).toBe(expected);
  });

  test.each([
    { '-mobile': 'yes', '-platform': 'Android' },
    { '-mobile': '', '-platform': '""' },
    { '-platform': `"${'x'.repeat(8_000)}"`, '': 'y'.repeat(8_000) },
    { '-platform': '"Windows"', '-platform-version': '"newest"' },
    { '-platform': '"constructor"', '-model': '"\\u0000"' },
  ])('that are malformed change nothing: %j', (hints) => {
    expect(read(WINDOWS, hints)).toBe('Chrome 141 on Windows 10, desktop');
  });

  test('are part of what is remembered', () => {
    expect(read(LINUX, {})).toBe('Chrome 141 on Linux undefined, desktop');
    expect(read(LINUX, { '-mobile': '?1', '-platform': '"Android"' })).toContain('mobile');
    expect(read(LINUX, {})).toBe('Chrome 141 on Linux undefined, desktop');
  });
});
