import fc from 'fast-check';
import type { LoggedEvent, NewEvent } from '../../../src/log/event.ts';
import { DEVICE_TYPES, EVENT_TYPES } from '../../../src/vocabulary/contract.ts';
import { mapEventTexts, NO_READ_TEXTS } from '../../../src/vocabulary/event-texts.ts';
import { seldom, sometimes } from './sometimes.ts';
import {
  BROWSERS,
  COUNTRIES,
  LANGUAGES,
  ODD_PROPERTIES,
  PAGE_URLS,
  PROPERTY_VALUES,
  REFERRERS,
  REVENUES,
  SCREENS,
  SENT_KEYS,
  SESSIONS,
  SYSTEMS,
  URLS,
  UUID_VISITOR,
  VISITORS,
} from './texts.ts';

/** An event as a literal that is short to read: only what differs from the plainest pageview. */
export type Sketch = Partial<LoggedEvent> & { createdAtMs: number; websiteKey?: number };

export const WEBSITE_KEYS = [1, 2];

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
/** A midnight with a round number: 2024-10-04. */
export const FIRST_DAY_MS = 20_000 * DAY_MS;
/** The earliest instant that a date can hold. */
export const EARLIEST_MS = -8.64e15;

/** Half hours around three midnights, and single milliseconds next to them. */
const usualInstant = fc
  .tuple(
    fc.constantFrom(0, 0, 0, 1, -1),
    fc.constantFrom(0, 0, 1, 2, 24, 46, 47),
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(0, 0, 1, -1) },
      { weight: 2, arbitrary: fc.constantFrom(60_000, 300_000) },
      { weight: 1, arbitrary: fc.nat(HALF_HOUR_MS) },
    ),
  )
  .map(([days, halfHours, ms]) => FIRST_DAY_MS + days * DAY_MS + halfHours * HALF_HOUR_MS + ms);

export const instant = fc.oneof(
  { weight: 40, arbitrary: usualInstant },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, -DAY_MS, EARLIEST_MS) },
);

const properties = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...SENT_KEYS), fc.constantFrom(...PROPERTY_VALUES)), {
        maxLength: 4,
      })
      .map((pairs) => `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...REVENUES).map((revenue) => `{"name":"signup","revenue":${revenue}}`),
  },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_PROPERTIES) },
);

/** Everything but the time. */
const content = sometimes<Omit<Sketch, 'createdAtMs'>>({
  websiteKey: seldom(1, fc.constant(2)),
  /** Some events are sent again, with the same content or with another. */
  id: seldom(1, fc.constantFrom(1, 2, 3).map(toId)),
  eventType: seldom(3, fc.constantFrom(...EVENT_TYPES)),
  url: seldom(6, fc.oneof(fc.constantFrom(...PAGE_URLS), fc.constantFrom(...URLS))),
  referrer: seldom(3, fc.constantFrom(...REFERRERS)),
  sessionId: seldom(2, fc.constantFrom(...SESSIONS)),
  visitorId: seldom(3, fc.oneof(fc.constant(UUID_VISITOR), fc.constantFrom(...VISITORS))),
  deviceType: seldom(2, fc.constantFrom(...DEVICE_TYPES)),
  browser: seldom(2, fc.constantFrom(...BROWSERS)),
  browserVersion: seldom(2, fc.constantFrom('131', '9', '70000')),
  os: seldom(2, fc.constantFrom(...SYSTEMS)),
  osVersion: seldom(2, fc.constantFrom('17', 'XP')),
  location: seldom(3, fc.constantFrom(...COUNTRIES)),
  region: seldom(2, fc.constantFrom('DE-BY', 'Kowloon, HK')),
  city: seldom(2, fc.constantFrom('Munich, DE-BY, 2867714', 'Munich, DE-BY', 'Singapore, SG')),
  language: seldom(2, fc.constantFrom(...LANGUAGES)),
  screen: seldom(2, fc.constantFrom(...SCREENS)),
  properties: seldom(4, properties),
  flags: seldom(2, fc.constantFrom(1, 2, 3, 4, 5, 64, 128, 129, 256, 257)),
  bot: seldom(2, fc.constantFrom('Googlebot', 'curl')),
});

const alone = fc.tuple(instant, content).map(([createdAtMs, given]): Sketch[] => [{ createdAtMs, ...given }]);

/** One visitor's way through the pages, with pauses that just continue a visit and that just end it. */
const walk = fc
  .tuple(
    instant,
    content,
    fc.array(fc.tuple(fc.constantFrom(1_000, 0, 60_000, HALF_HOUR_MS, HALF_HOUR_MS + 1), content), {
      minLength: 1,
      maxLength: 5,
    }),
  )
  .map(([startMs, first, rest]): Sketch[] => {
    const who = first.visitorId && { visitorId: first.visitorId };
    let createdAtMs = startMs;
    return [
      { createdAtMs, ...first },
      ...rest.map(([pauseMs, given]): Sketch => {
        createdAtMs += pauseMs;
        const { visitorId: _other, ...others } = given;
        return { createdAtMs, ...others, ...who };
      }),
    ];
  });

/** A group as one transaction stores it: in order, or backwards, or every other event late. */
export const group = fc
  .tuple(
    fc.array(fc.oneof(alone, walk), { minLength: 1, maxLength: 6, size: 'max' }),
    fc.constantFrom('forwards', 'backwards', 'mixed'),
  )
  .map(([parts, order]) => {
    const events = parts.flat();
    if (order === 'mixed') return [0, 1].flatMap((odd) => events.filter((_, index) => index % 2 === odd));
    return order === 'backwards' ? events.reverse() : events;
  });

/** @param counter numbers the events that have no id of their own */
export function toNewEvent({ websiteKey = 1, ...given }: Sketch, counter: number): NewEvent {
  return {
    id: toId(1_000 + counter),
    eventType: 'pageview',
    url: 'https://a.example/',
    referrer: null,
    sessionId: 's',
    visitorId: 'v',
    deviceType: null,
    ...mapEventTexts(() => null),
    ...NO_READ_TEXTS,
    properties: null,
    flags: 0,
    ...given,
    // A version has a name.
    browserVersion: (given.browser && given.browserVersion) ?? null,
    osVersion: (given.os && given.osVersion) ?? null,
    website: { key: websiteKey },
  };
}

function toId(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}
