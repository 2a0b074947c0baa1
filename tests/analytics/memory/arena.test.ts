import { describe, expect, test } from 'bun:test';
import { Arena } from '../../../src/analytics/embedded/memory/arena.ts';

const MIB = 1024 * 1024;

describe('an arena', () => {
  test('gives zeros, also where it gave something before', () => {
    const arena = new Arena();
    for (let question = 0; question < 2; question += 1) {
      const taken = [arena.u8(3), arena.u16(5), arena.u32(7), arena.f64(9)];
      expect(taken).toEqual([new Uint8Array(3), new Uint16Array(5), new Uint32Array(7), new Float64Array(9)]);
      for (const array of taken) array.fill(255);
      arena.reset();
    }
  });

  test('gives nothing twice until it is reset', () => {
    const arena = new Arena();
    const sizes = [0, 1, 7, 8, 9, MIB - 8, MIB, MIB + 1, 0, 5];
    const taken = sizes.map((size) => arena.u8(size));
    for (const [index, array] of taken.entries()) array.fill(index + 1);
    expect(taken.map((array, index) => array.every((byte) => byte === index + 1))).toEqual(
      sizes.map(() => true),
    );
  });

  test('takes back what was taken during a piece of work, and nothing else, also when it fails', () => {
    const arena = new Arena();
    const before = arena.u8(4).fill(1);
    const inside = arena.during(() => {
      const outer = arena.u8(8);
      const inner = arena.during(() => arena.u8(2 * MIB));
      expect(arena.u8(2 * MIB).buffer).toBe(inner.buffer);
      return outer;
    });
    const fail = () => {
      arena.u8(8);
      throw new Error('failed');
    };
    expect(() => arena.during(fail)).toThrow('failed');
    const after = arena.u8(8);
    expect([after.buffer === inside.buffer, after.byteOffset]).toEqual([true, inside.byteOffset]);
    expect([...before]).toEqual([1, 1, 1, 1]);
  });

  test('frees what is beyond its bound, and takes the rest again', () => {
    const arena = new Arena();
    const [first, second] = [arena.u8(MIB), arena.u8(3 * MIB)];
    arena.reset(2 * MIB);
    expect([first.byteLength, second.byteLength]).toEqual([MIB, 0]);
    expect(arena.u8(MIB).buffer).toBe(first.buffer);
  });
});
