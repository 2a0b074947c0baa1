import { describe, expect, test } from 'bun:test';
import { tellStory } from '../../src/demo/story.ts';
import { toEventInput } from '../../src/demo/traffic-event.ts';
import { judgeEvent } from '../../src/events/judge.ts';

const DAY_MS = 86_400_000;
const OPTIONS = { seed: 3, domain: 'demo.example', days: 90, endMs: Date.UTC(2026, 10, 26, 9, 30) };
const { events, annotations } = tellStory(OPTIONS);

const pathOf = ({ url }: { url: string }) => new URL(url).pathname;
const named = (name: string) => events.filter(({ properties }) => properties?.name === name);
const visitorsOf = (some: typeof events) => new Set(some.map(({ visitorId }) => visitorId));
const saw = (path: string) => visitorsOf(events.filter((event) => pathOf(event) === path));

describe('the story of the demo', () => {
  test('is the same for the same seed, and another for another seed', () => {
    expect(tellStory(OPTIONS)).toEqual({ events, annotations });
    expect(tellStory({ ...OPTIONS, seed: 4 }).events).not.toEqual(events);
  });

  test('is in order of time, within its days, and of events that the service accepts', () => {
    const times = events.map(({ createdAtMs }) => createdAtMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(OPTIONS.endMs - OPTIONS.days * DAY_MS);
    expect(times.at(-1)).toBeLessThan(OPTIONS.endMs);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    for (const event of events) judgeEvent(toEventInput(event, 'pm-7Hd82kLmQ0sTzW1x-1763700000000'));
  });

  test('leads from prices to a form to a signup to a purchase, and fewer take each step', () => {
    const steps = [
      saw('/pricing'),
      saw('/signup'),
      visitorsOf(named('signup')),
      visitorsOf(named('purchase')),
    ];
    const sizes = steps.map(({ size }) => size);
    for (const [index, size] of sizes.entries()) {
      const before = sizes[index - 1];
      if (before !== undefined) expect(size / before).toBeWithin(0.2, 0.8);
    }
    for (const buyer of steps[3] ?? []) expect(steps[0]?.has(buyer)).toBe(true);
  });

  test('has a campaign that converts better than other visits', () => {
    const campaign = visitorsOf(events.filter(({ url }) => url.includes('autumn-sale')));
    const buyers = visitorsOf(named('purchase'));
    const rateOf = (some: ReadonlySet<string>) => [...some].filter((id) => buyers.has(id)).length / some.size;
    expect(rateOf(campaign)).toBeGreaterThan(1.5 * rateOf(saw('/')));
  });

  test('has a Tuesday on which the form breaks and signs up fewer', () => {
    const errors = named('error');
    expect(errors.length).toBeGreaterThan(2);
    const days = new Set(errors.map(({ createdAtMs }) => Math.floor(createdAtMs / DAY_MS)));
    expect(days.size).toBe(1);
    expect([...days].map((day) => new Date(day * DAY_MS).getUTCDay())).toEqual([2]);
  });

  test('has a newsletter each Thursday, and members who come back for weeks', () => {
    const issues = annotations.filter(({ text }) => text.startsWith('Newsletter'));
    expect(issues.length).toBeWithin(12, 14);
    expect(new Set(issues.map(({ atMs }) => new Date(atMs).getUTCDay()))).toEqual(new Set([4]));
    const joined = new Map(named('signup').map(({ visitorId, createdAtMs }) => [visitorId, createdAtMs]));
    const weeks = events.flatMap(({ visitorId, createdAtMs }) => {
      const joinedMs = joined.get(visitorId);
      return joinedMs === undefined ? [] : [Math.floor((createdAtMs - joinedMs) / (7 * DAY_MS))];
    });
    for (const week of [1, 3, 6]) expect(weeks.filter((each) => each === week).length).toBeGreaterThan(20);
  });
});
