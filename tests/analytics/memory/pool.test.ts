import { describe, expect, test } from 'bun:test';
import { Pool } from '../../../src/analytics/embedded/memory/pool.ts';
import type { Segment } from '../../../src/analytics/embedded/segment/segment.ts';
import { Segment as StoredSegment } from '../../../src/analytics/embedded/segment/segment.ts';
import { createSegmentStore } from '../../../src/analytics/embedded/segment/store.ts';
import { differentVisits } from '../segments.ts';
import { createTestLog } from '../support.ts';

const log = await createTestLog();
const fresh = differentVisits(100);
const parts = new Map(createSegmentStore(log.database).encode(fresh).parts);
log.close();

/** Bytes of the column that these questions read. */
const SIZE = 400;
let reads = 0;
const read = (segment: Segment) => void segment.column('visitor');

function stored(count: number): StoredSegment[] {
  return Array.from({ length: count }, (_, index) =>
    StoredSegment.stored(index + 1, fresh.header, (_id, part) => {
      reads += 1;
      return new Uint8Array(parts.get(part) ?? []);
    }),
  );
}

/** @returns how many segments were read from the disk */
function ask(pool: Pool, segments: readonly StoredSegment[]): number {
  reads = 0;
  pool.begin();
  for (const segment of segments) pool.use(segment, read);
  return reads;
}

const heldOf = (segments: readonly StoredSegment[]) => segments.map(({ bytes }) => bytes / SIZE);

describe('a pool', () => {
  test('keeps what fits, and lets go of what was used longest ago', () => {
    const pool = new Pool(3 * SIZE);
    const segments = stored(4);
    const [a, b, c, d] = segments as [StoredSegment, StoredSegment, StoredSegment, StoredSegment];
    expect([ask(pool, [a, b, c]), ask(pool, [a]), ask(pool, [d])]).toEqual([3, 0, 1]);
    expect(heldOf(segments)).toEqual([1, 0, 1, 1]);
    expect(pool.bytes).toBe(3 * SIZE);
  });

  test('keeps the same segments of a range that does not fit', () => {
    const pool = new Pool(3 * SIZE);
    const segments = stored(5);
    expect([ask(pool, segments), ask(pool, segments), ask(pool, segments)]).toEqual([5, 2, 2]);
    expect(heldOf(segments)).toEqual([1, 1, 1, 0, 0]);
  });

  test('the pool keeps pinned segments, whatever else is read', () => {
    const pool = new Pool(SIZE);
    const [outer, inner] = stored(2) as [StoredSegment, StoredSegment];
    pool.begin();
    pool.use(outer, () => {
      read(outer);
      pool.use(outer, read);
      pool.begin();
      pool.use(inner, read);
      expect(heldOf([outer, inner])).toEqual([1, 1]);
      expect(() => pool.forget(outer)).toThrow('Dropped a pinned segment.');
    });
    expect(pool.bytes).toBe(SIZE);
    expect([outer.pins, inner.pins]).toEqual([0, 0]);
    expect(() => pool.unpin(outer)).toThrow('Unpinned a segment that is not pinned.');
  });

  test('gives a segment back when reading it fails', () => {
    const pool = new Pool(SIZE);
    const [segment] = stored(1) as [StoredSegment];
    const fail = () => {
      throw new Error('failed');
    };
    expect(() => pool.use(segment, fail)).toThrow('failed');
    expect(segment.pins).toBe(0);
  });

  test('counts what is not on disk, and never drops it', () => {
    const pool = new Pool(SIZE);
    const unsaved = differentVisits(100);
    const segments = stored(2);
    ask(pool, [...segments, unsaved]);
    expect([pool.bytes, unsaved.bytes, ...heldOf(segments)]).toEqual([fresh.bytes + SIZE, fresh.bytes, 1, 0]);
    pool.forget(unsaved);
    expect(pool.bytes).toBe(SIZE);
  });

  test('counts what was read without it, once it is used, and nothing of what is forgotten', () => {
    const pool = new Pool(10 * SIZE);
    const [segment] = stored(1) as [StoredSegment];
    read(segment);
    pool.forget(segment);
    expect(pool.bytes).toBe(0);
    read(segment);
    ask(pool, [segment]);
    ask(pool, [segment]);
    expect(pool.bytes).toBe(SIZE);
    pool.forget(segment);
    pool.forget(segment);
    expect([pool.bytes, segment.bytes]).toEqual([0, 0]);
  });

  test('has less room while dictionaries take some', () => {
    const pool = new Pool(3 * SIZE);
    const segments = stored(3);
    ask(pool, segments);
    pool.begin();
    pool.reserve(2 * SIZE);
    expect([pool.bytes, ...heldOf(segments)]).toEqual([3 * SIZE, 0, 0, 1]);
    pool.reserve(0);
    expect(pool.bytes).toBe(SIZE);
  });
});
