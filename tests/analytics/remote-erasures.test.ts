import { describe, expect, test } from 'bun:test';
import { addKeyList, toKeyLists } from '../../src/analytics/key-lists.ts';
import { createStallWatch } from '../../src/analytics/remote-erasures.ts';

const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('lists of keys', () => {
  test.each([
    ['no key', [], []],
    [
      'days that fit into one list',
      [
        [20_000, 3],
        [20_001, 4],
      ],
      [7],
    ],
    ['a list that is full', [[20_000, 1_000]], [1_000]],
    ['one key more', [[20_000, 1_001]], [1_000, 1]],
    [
      'a day that goes on in the next list',
      [
        [1, 600],
        [2, 900],
        [-3, 600],
      ],
      [1_000, 1_000, 100],
    ],
  ] as [string, [day: number, count: number][], number[]][])('of %s', (_what, days, lengths) => {
    const byDay = new Map(days.map(([day, count], index) => [day, keysFrom(index * 10_000, count)]));
    const lists = toKeyLists(byDay);
    const found = lists.map((list) => {
      const keys = new Map<number, Set<number>>();
      addKeyList(keys, list);
      return [...keys.values()].reduce((sum, { size }) => sum + size, 0);
    });
    expect(found).toEqual(lengths);
    const all = new Map<number, Set<number>>();
    for (const list of lists) addKeyList(all, list);
    expect(all).toEqual(new Map([...byDay].map(([day, keys]) => [day, new Set(keys)])));
  });
});

test('an erasure counts as abandoned once its first list was the same for longer than the patience', () => {
  let nowMs = 0;
  const isStalled = createStallWatch(30_000, () => nowMs);
  const seen: [atMs: number, list: number | undefined, isAbandoned: boolean][] = [
    [0, 7, false],
    [30_000, 7, false],
    [30_001, 7, true],
    [30_002, 8, false], // a step forward
    [60_003, undefined, false],
    [120_000, undefined, false],
    [120_001, 9, false], // another one
    [150_002, 9, true],
  ];
  for (const [atMs, list, isAbandoned] of seen) {
    nowMs = atMs;
    expect({ atMs, isStalled: isStalled(list) }).toEqual({ atMs, isStalled: isAbandoned });
  }
});
