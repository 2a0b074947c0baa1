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

test('those who return are the ones with several of the selected visits, on one day or on two', () => {
  const people = createScanPeople(9);
  const days = [
    { visitor: Uint32Array.of(3, 4, 4, 9) } as Day,
    { visitor: Uint32Array.of(1, 3, 4, 8) } as Day, // of which the third is not selected
  ];
  const selections = [
    { ...emptySelection(), visits: Uint32Array.of(0, 1, 2, 3), count: 4 },
    { ...emptySelection(), visits: Uint32Array.of(0, 1, 3), count: 3 },
  ];
  const met = selections.map((selection, index) => ({
    ...selection,
    people: people.of(days[index] as Day, selection).slice(),
  }));
  expect(people.count()).toBe(5);
  expect(people.returningCount()).toBe(2);
  const found = met.map((selection) => {
    const { count, visits, people: whose } = people.returning(selection);
    return [...visits.subarray(0, count)].map((visit, index) => [visit, whose[index]]);
  });
  expect(found).toEqual([
    [
      [0, 1],
      [1, 2],
      [2, 2],
    ],
    [[1, 1]],
  ]);
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
