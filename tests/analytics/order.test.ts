import { test } from 'bun:test';
import { runFollowed } from './oracle/run.ts';
import type { Script } from './oracle/script.ts';
import { EVERYTHING } from './oracle/selections.ts';
import { FIRST_DAY_MS } from './oracle/traffic.ts';

/** Found by random histories: each engine orders the segments of visits that begin at one instant as it came by them. */
const script: Script = {
  sizes: { cacheBytesMax: 2 ** 26, segmentEventsMax: 1, visitEventsMax: 1 },
  steps: [
    {
      do: 'store',
      events: [
        { createdAtMs: FIRST_DAY_MS + 82_800_000 },
        { createdAtMs: FIRST_DAY_MS + 82_800_000, referrer: 'https://www.google.com/search?q=x' },
        { createdAtMs: FIRST_DAY_MS, visitorId: '00000000-0000-4000-8000-00000000000b' },
      ],
    },
    { do: 'store', events: [{ createdAtMs: FIRST_DAY_MS }] },
    { do: 'store', events: [{ createdAtMs: FIRST_DAY_MS }] },
  ],
  questions: [
    {
      ask: 'attribution',
      request: {
        websiteKey: 1,
        ...EVERYTHING,
        condition: { op: 'match', dimension: 'eventType', operator: 'is', values: ['pageview'] },
        dimension: 'source',
        lookbackMs: 0,
      },
    },
  ],
};

test('visits of one instant are in the order of their events', () => runFollowed(script));
