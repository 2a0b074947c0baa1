import { describe, expect, test } from 'bun:test';
import { BARS } from './bars.ts';

/** The short versions. What depends on time is judged by the long ones alone: `bun tests/faults/main.ts --long`. */
describe('the service', () => {
  for (const { id, holds, run } of BARS.filter((bar) => bar.hasShort)) {
    test(`${holds} (${id})`, async () => {
      expect((await run({ isLong: false, seed: 1 })).faults).toEqual([]);
    }, 120_000);
  }
});

test('no two bars have one name', () => {
  const ids = BARS.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});
