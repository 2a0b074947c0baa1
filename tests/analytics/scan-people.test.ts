import { expect, test } from 'bun:test';
import type { Day } from '../../src/analytics/day.ts';
import { beginScratch } from '../../src/analytics/panels/scratch.ts';
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
  const found = met.map((selection) =>
    [...people.returning(selection)].flatMap(({ count, visits, people: whose }) =>
      [...visits.subarray(0, count)].map((visit, index) => [visit, whose[index]]),
    ),
  );
  expect(found).toEqual([
    [
      [0, 1],
      [1, 2],
      [2, 2],
    ],
    [[1, 1]],
  ]);
});

test('a day of many visits comes in parts, which are all of those who return', () => {
  beginScratch();
  const visitors = Uint32Array.from({ length: 40_000 }, (_, visit) => (visit * 7_919) % 30_000);
  const selection = {
    ...emptySelection(),
    visits: visitors.map((_, visit) => visit),
    count: visitors.length,
  };
  const people = createScanPeople(30_000);
  const whole = { ...selection, people: people.of({ visitor: visitors } as Day, selection).slice() };
  // Each part is overwritten by the next one.
  const parts = Array.from(people.returning(whole), ({ count, visits, people: whose }) =>
    Array.from(visits.slice(0, count), (visit, index) => [visit, whose[index] ?? 0] as const),
  );
  expect(parts.length).toBeGreaterThan(1);
  const visitsOf = Map.groupBy(visitors.keys(), (visit) => visitors[visit]);
  const expected = [...visitsOf.values()].filter((visits) => visits.length > 1);
  expect(people.returningCount()).toBe(expected.length);
  const found = new Map<number, number[]>();
  for (const [visit, person] of parts.flat()) found.set(person, [...(found.get(person) ?? []), visit]);
  expect([...found.values()]).toEqual(expected);
});

function numberOf(visitors: number[], visitorCount: number): number[] {
  beginScratch();
  const people = createScanPeople(visitorCount);
  const selection = emptySelection();
  selection.visits = Uint32Array.from(visitors, (_, visit) => visit);
  selection.count = visitors.length;
  const found = people.of({ visitor: Uint32Array.from(visitors) } as Day, selection);
  expect(people.count()).toBe(new Set(visitors).size);
  return [...found.subarray(0, visitors.length)];
}
