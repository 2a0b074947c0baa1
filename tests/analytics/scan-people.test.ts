import { expect, test } from 'bun:test';
import type { Day } from '../../src/analytics/day.ts';
import { createScanPeople } from '../../src/analytics/scan-people.ts';
import { emptySelection } from '../../src/analytics/selection.ts';

test('people are numbered anew for each question, from 1 in the order in which they are met', () => {
  for (let question = 0; question < 600; question += 1) {
    const other = 6_000 * question + 10; // whom no question before has met
    // Two websites share the places, and those of 600 questions do not fit into 32 bits.
    expect(numberOf([5, other, 5, 1, other, 4_000_000], 4_000_000)).toEqual([1, 2, 1, 3, 2, 4]);
    expect(numberOf([7, 7, 1, 5], 5_000)).toEqual([1, 1, 2, 3]);
  }
});

function numberOf(visitors: number[], visitorCount: number): number[] {
  const people = createScanPeople(visitorCount);
  const selection = emptySelection();
  selection.visits = Uint32Array.from(visitors, (_, visit) => visit);
  selection.count = visitors.length;
  const found = people.of({ visitor: Uint32Array.from(visitors) } as Day, selection);
  expect(people.count()).toBe(new Set(visitors).size);
  return [...found.subarray(0, visitors.length)];
}
