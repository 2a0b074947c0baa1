import { describe, expect, test } from 'bun:test';
import { deviceType } from '../../tracker/device.ts';

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0';

const cases: [name: string, userAgent: string, touchPoints: number, expected: string][] = [
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 0, 'desktop'],
  [
    'Chrome on a Windows laptop with touch',
    `Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36`,
    10,
    'desktop',
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    0,
    'desktop',
  ],
  [
    'Safari on a Mac',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`,
    0,
    'desktop',
  ],
  [
    'Safari on an iPad',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`,
    5,
    'tablet',
  ],
  [
    'Safari on an iPad that asks for mobile pages',
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`,
    5,
    'tablet',
  ],
  [
    'Safari on an iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`,
    5,
    'mobile',
  ],
  [
    'Chrome on an Android phone',
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
    5,
    'mobile',
  ],
  ['Chrome on an Android tablet', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Safari/537.36`, 5, 'tablet'],
  [
    'Firefox on an Android phone',
    'Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0',
    5,
    'mobile',
  ],
  [
    'Firefox on an Android tablet',
    'Mozilla/5.0 (Android 14; Tablet; rv:127.0) Gecko/127.0 Firefox/127.0',
    5,
    'tablet',
  ],
  [
    'Opera on a phone',
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36 OPR/76.0`,
    5,
    'mobile',
  ],
  ['ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, 10, 'desktop'],
  ['no user agent', '', 0, 'desktop'],
];

describe('the type of device', () => {
  test.each(cases)('of %s', (_name, userAgent, maxTouchPoints, expected) => {
    expect<string>(deviceType({ userAgent, maxTouchPoints } as Navigator)).toBe(expected);
  });
});
