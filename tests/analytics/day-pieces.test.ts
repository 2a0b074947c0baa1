import { expect, test } from 'bun:test';
import { cutDay, encodeLayout, LAYOUT_BYTES_MAX } from '../../src/analytics/day-pieces.ts';

test.each([
  ['100 events', 100, 100],
  ['as many events as have pieces of their own', 1_000, 1_000],
  ['far more events', 300_000, 1_000],
])('a day of %s has all of them in pieces, and a layout that is told from a block', (_, events, pieces) => {
  const first = Uint32Array.from({ length: events + 1 }, (_, visit) => visit);
  const cut = cutDay({ visitCount: events, eventCount: events, first }, 1);
  expect(cut?.events).toHaveLength(pieces);
  expect(cut?.events.reduce((sum, count) => sum + count, 0)).toBe(events);
  expect(cut && encodeLayout({ ...cut, generation: 1 }).length).toBeLessThanOrEqual(LAYOUT_BYTES_MAX);
});
