import { describe, expect, test } from 'bun:test';
import { readRevenue } from '../../src/analytics/derive/revenue.ts';
import { FIVE_WEBSITES, generateTraffic, type TrafficOptions } from '../../src/demo/traffic.ts';
import { type TrafficEvent, toEventInput, toNewEvent } from '../../src/demo/traffic-event.ts';
import { judgeEvent } from '../../src/events/judge.ts';

const DAY_MS = 86_400_000;
const VISIT_GAP_MS = 30 * 60_000;
/** A Monday, so that four weeks before it are whole. */
const END_MS = Date.UTC(2026, 1, 2);
const OPTIONS: TrafficOptions = {
  seed: 7,
  websites: FIVE_WEBSITES,
  days: 28,
  events: 60_000,
  endMs: END_MS,
};

const events = [...generateTraffic(OPTIONS)];
const people = events.filter((event) => !event.isBot);

describe('generated traffic', () => {
  test('is the same for the same seed, and another for another seed', () => {
    const few = { ...OPTIONS, events: 5_000 };
    expect(fingerprint(generateTraffic(few))).toBe(fingerprint(generateTraffic(few)));
    expect(fingerprint(generateTraffic({ ...few, seed: 8 }))).not.toBe(fingerprint(generateTraffic(few)));
  });

  test.each([1, 2, 17, 999])('makes exactly as many events as asked for: %d', (count) => {
    expect([...generateTraffic({ ...OPTIONS, events: count })].length).toBe(count);
  });

  test('makes as many for any seed, whatever the last visit would still have done', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const count = 1 + (seed % 40);
      expect([...generateTraffic({ ...OPTIONS, days: 2, events: count, seed })].length).toBe(count);
    }
  });

  test('is in order of time and within its days', () => {
    expect(events.length).toBe(OPTIONS.events);
    expect(events.every((event, index) => event.createdAtMs >= (events[index - 1]?.createdAtMs ?? 0))).toBe(
      true,
    );
    expect(events[0]?.createdAtMs).toBeGreaterThanOrEqual(END_MS - OPTIONS.days * DAY_MS);
    expect(events.at(-1)?.createdAtMs).toBeLessThan(END_MS);
  });

  test('gives each event an id of its own, a UUID of version 7 that begins with its time', () => {
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    for (const { id, createdAtMs } of events.slice(0, 1_000)) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(createdAtMs);
    }
  });

  test('holds only events that the service accepts', () => {
    for (const event of events) judgeEvent(toEventInput(event, 'pm-7Hd82kLmQ0sTzW1x-1763700000000'));
  });

  test('has the same content for the API and for the log', () => {
    const website = { key: 1, id: 'w', userId: 'u', allowedOrigins: [], excludedRanges: [] };
    for (const event of events.slice(0, 1_000)) {
      const judged = judgeEvent(toEventInput(event, 'pm-7Hd82kLmQ0sTzW1x-1763700000000'));
      const logged = toNewEvent(event, website);
      expect({ ...judged, text: judged.propertiesText }).toMatchObject({
        id: logged.id,
        url: logged.url,
        timestamp: logged.createdAtMs,
        text: logged.properties,
      });
    }
  });

  test('divides the events by the shares of the websites', () => {
    const counts = FIVE_WEBSITES.map((_, index) => events.filter((event) => event.website === index).length);
    expect(counts).toEqual([36_000, 12_000, 6_000, 3_600, 2_400]);
  });

  test('has visits of people: some bounce, some return, some use several tabs', () => {
    const visits = toVisits(people);
    const bounces = visits.filter((visit) => visit.length === 1).length / visits.length;
    expect(bounces).toBeWithin(0.3, 0.6);
    expect(people.length / visits.length).toBeWithin(2, 5);
    const visitors = new Set(people.map((event) => event.visitorId)).size;
    expect(visits.length / visitors).toBeWithin(1.2, 2);
    const severalTabs = visits.filter((visit) => new Set(visit.map((event) => event.sessionId)).size > 1);
    expect(severalTabs.length / visits.length).toBeWithin(0.02, 0.2);
  });

  test('has returning visitors of all ages', () => {
    const firstSeen = new Map<string, number>();
    const ageDays = people.map(({ visitorId, createdAtMs }) => {
      const firstMs = firstSeen.get(visitorId) ?? createdAtMs;
      firstSeen.set(visitorId, firstMs);
      return Math.floor((createdAtMs - firstMs) / DAY_MS);
    });
    for (const [from, to] of [
      [1, 3],
      [3, 7],
      [7, 14],
      [14, 28],
    ] as const)
      expect(ageDays.filter((age) => age >= from && age < to).length / people.length).toBeWithin(0.01, 0.15);
  });

  test('is quieter at weekends and at night', () => {
    const byWeekday = count(7, ({ createdAtMs }) => new Date(createdAtMs).getUTCDay());
    const [sunday = 0, , tuesday = 0, wednesday = 0, , , saturday = 0] = byWeekday;
    expect((sunday + saturday) / (tuesday + wednesday)).toBeWithin(0.4, 0.85);
    const germans = people.filter((event) => event.location === 'DE');
    const byHour = count(24, ({ createdAtMs }) => new Date(createdAtMs).getUTCHours(), germans);
    expect((byHour[2] ?? 0) / (byHour[13] ?? 0)).toBeLessThan(0.3);
  });

  test('reads few pages often and most pages rarely', () => {
    const views = new Map<string, number>();
    for (const { eventType, url } of people)
      if (eventType === 'pageview') {
        const path = new URL(url).pathname;
        views.set(path, (views.get(path) ?? 0) + 1);
      }
    const sorted = [...views.values()].sort((a, b) => b - a);
    const total = sorted.reduce((sum, views) => sum + views, 0);
    const top = sorted.slice(0, 20).reduce((sum, views) => sum + views, 0);
    expect(top / total).toBeWithin(0.25, 0.65);
    expect(sorted.length).toBeGreaterThan(3_000);
  });

  test('has campaigns, clicks, custom events with unbounded values, gaps and a few bots', () => {
    expect(events.some(({ url }) => url.includes('utm_campaign='))).toBe(true);
    expect(people.filter(({ eventType }) => eventType === 'click').length / people.length).toBeWithin(
      0.05,
      0.3,
    );
    const orders = people.flatMap(({ properties }) => properties?.order ?? []);
    expect(orders.length).toBeGreaterThan(50);
    expect(new Set(orders).size).toBe(orders.length);
    expect(people.some(({ location }) => location === null)).toBe(true);
    expect((events.length - people.length) / events.length).toBeWithin(0.005, 0.05);
  });

  test('has purchases with revenue that counts, in euros and dollars', () => {
    const purchases = people.filter(({ properties }) => properties?.name === 'purchase');
    const currencies = purchases.map(
      ({ properties }) => readRevenue(JSON.stringify(properties?.revenue))?.currency,
    );
    const euros = currencies.filter((currency) => currency === 'EUR').length;
    expect(euros / purchases.length).toBeWithin(0.6, 0.8);
    expect(currencies.filter((currency) => currency === 'USD').length).toBe(purchases.length - euros);
  });
});

function fingerprint(stream: Iterable<TrafficEvent>): string {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const event of stream) hasher.update(JSON.stringify(event));
  return hasher.digest('hex');
}

/** By the 30-minute rule, across tabs. */
function toVisits(ordered: readonly TrafficEvent[]): TrafficEvent[][] {
  const visits: TrafficEvent[][] = [];
  const current = new Map<string, TrafficEvent[]>();
  for (const event of ordered) {
    const visit = current.get(event.visitorId);
    const last = visit?.at(-1);
    if (visit && last && event.createdAtMs - last.createdAtMs < VISIT_GAP_MS) visit.push(event);
    else {
      const begun = [event];
      visits.push(begun);
      current.set(event.visitorId, begun);
    }
  }
  return visits;
}

function count(size: number, indexOf: (event: TrafficEvent) => number, of = people): number[] {
  const counts = new Array<number>(size).fill(0);
  for (const event of of) counts[indexOf(event)] = (counts[indexOf(event)] ?? 0) + 1;
  return counts;
}
