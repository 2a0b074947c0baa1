import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { KeptMemory } from '../../src/analytics/panels/kept-memory.ts';

const MIB = 1024 * 1024;

test('arrays of one round never share memory, and longer numbers may stand in each', () => {
  const lengths = fc.array(fc.oneof(fc.nat(5_000), fc.nat(1_500_000)), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(lengths, { maxLength: 5 }), (rounds) => {
      const memory = new KeptMemory();
      for (const round of rounds) {
        memory.begin();
        const taken = round.map((length) => memory.take(length));
        taken.forEach((array, index) => {
          expect(array.length).toBe(round[index] as number);
          expect(array.byteOffset % 8).toBe(0);
        });
        const places = taken.filter(({ length }) => length > 0).sort((a, b) => a.byteOffset - b.byteOffset);
        for (const [, own] of Map.groupBy(places, ({ buffer }) => buffer))
          own.forEach((array, index) => {
            const next = own[index + 1];
            if (next) expect(array.byteOffset + array.byteLength).toBeLessThanOrEqual(next.byteOffset);
          });
      }
    }),
    { numRuns: 30 },
  );
});

test('the same arrays find the same places in the next round', () => {
  const memory = new KeptMemory();
  const lengths = [10, 700_000, 20_000, 3, 400_000, 1_000_000, 5_000];
  const round = () => {
    memory.begin();
    return lengths
      .map((length) => memory.take(length))
      .map(({ buffer, byteOffset }) => ({ buffer, byteOffset }));
  };
  const first = round();
  const bytes = memory.bytes();
  const second = round();
  expect(memory.bytes()).toBe(bytes);
  second.forEach(({ buffer, byteOffset }, index) => {
    expect(buffer).toBe(first[index]?.buffer as ArrayBuffer);
    expect(byteOffset).toBe(first[index]?.byteOffset as number);
  });
});

test('what is needed beyond the bound is there all the same, and is not kept', () => {
  const memory = new KeptMemory();
  memory.begin();
  for (let count = 0; count < 10; count += 1) expect(memory.take(2 * MIB).length).toBe(2 * MIB);
  expect(memory.bytes()).toBeLessThanOrEqual(40 * MIB);
});

test('what no round needs any more is let go, also while arrays become longer', () => {
  const memory = new KeptMemory();
  for (let round = 0; round < 200; round += 1) {
    memory.begin();
    memory.take(1_000_000 + round * 10_000);
    memory.take(1_000);
  }
  expect(memory.bytes()).toBeLessThan(30 * MIB);
  for (let round = 0; round < 40; round += 1) {
    memory.begin();
    memory.take(1_000);
  }
  expect(memory.bytes()).toBeLessThanOrEqual(4 * MIB);
});

test('all of it can be given back between two rounds', () => {
  const memory = new KeptMemory();
  memory.begin();
  memory.take(1_000).fill(7);
  memory.free();
  expect(memory.bytes()).toBe(0);
  memory.begin();
  expect([...memory.take(3)]).toEqual([0, 0, 0]);
});
