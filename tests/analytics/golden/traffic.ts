import { generateTraffic } from '../../../src/demo/traffic.ts';
import { type TrafficEvent, toNewEvent } from '../../../src/demo/traffic-event.ts';
import type { NewEvent } from '../../../src/log/event.ts';

/** Traffic behind the golden answers: 45 days of three websites, until a morning. The same events for ever. */

const EVENTS = 20_000;
const DAYS = 45;
export const END_MS = Date.UTC(2026, 2, 2, 10, 20);
export const WEBSITES = [
  { key: 1, domain: 'demo.example', share: 80, pages: 200 },
  { key: 2, domain: 'shop.example', share: 15, pages: 40 },
  { key: 3, domain: 'small.example', share: 5, pages: 10 },
];

export function makeTraffic(): TrafficEvent[] {
  return [...generateTraffic({ seed: 1, websites: WEBSITES, days: DAYS, events: EVENTS, endMs: END_MS })];
}

/** Groups as the writer commits them. */
export function toGroups(traffic: readonly TrafficEvent[], size = 1_000): NewEvent[][] {
  const events = traffic.map((event) => {
    const key = WEBSITES[event.website]?.key ?? 0;
    return toNewEvent(event, { key });
  });
  return Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
    events.slice(index * size, (index + 1) * size),
  );
}
