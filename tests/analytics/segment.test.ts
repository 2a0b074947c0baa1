import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { encodeArrays, openArrays } from '../../src/analytics/embedded/segment/codec.ts';
import type { StoredPart } from '../../src/analytics/embedded/segment/schema.ts';
import { Segment } from '../../src/analytics/embedded/segment/segment.ts';
import { createSegmentStore } from '../../src/analytics/embedded/segment/store.ts';
import { contentOf, differentVisits } from './segments.ts';
import { createTestLog, type TestLog } from './support.ts';

let log: TestLog;
beforeAll(async () => {
  log = await createTestLog();
});
afterAll(() => log.close());

describe('arrays', () => {
  test('are the same after they were stored, empty ones and those that do not compress included', () => {
    const random = Float64Array.from({ length: 500 }, (_, index) => Math.sin(index));
    const arrays = [
      new Uint8Array(0),
      Uint16Array.of(1, 65_535),
      new Uint32Array(10_000),
      random,
      random.subarray(3, 70),
    ];
    const padded = Buffer.concat([Buffer.alloc(3), encodeArrays(arrays)]); // as of a database, on shared memory
    const opened = openArrays(padded.subarray(3));
    expect(arrays.map((_, index) => new Uint8Array(opened.bytes(index)))).toEqual(
      arrays.map(
        (array) => new Uint8Array(array.buffer.slice(array.byteOffset, array.byteOffset + array.byteLength)),
      ),
    );
    expect(() => opened.bytes(5)).toThrow('No array 5: there are 5.');
  });
});

describe('a segment', () => {
  test.each([1, 2, 65_535])('of %d different visits is the same after it was stored', (count) => {
    const store = createSegmentStore(log.database);
    const fresh = differentVisits(count, -1);
    const id = store.insert(store.encode(fresh));
    const [stored] = store.list(1) as [Segment];
    expect([stored.id, stored.bytes]).toEqual([id, 0]);
    expect(contentOf(stored)).toEqual(contentOf(fresh));
    expect([
      stored.column('first')[count],
      stored.codes('page')[count],
      stored.column('session')[count - 1],
    ]).toEqual([count, count, count - 1]);
    expect(stored.bytes).toBe(fresh.bytes);
    store.remove(id);
    expect(store.list(1)).toEqual([]);
    expect(log.database.prepare('SELECT * FROM segment_parts').all([])).toEqual([]);
  });

  test('reads each part once, when it is asked for, and again after it was dropped', () => {
    const fresh = differentVisits(3);
    const parts = new Map(createSegmentStore(log.database).encode(fresh).parts);
    const read: StoredPart[] = [];
    const segment = Segment.stored(7, fresh.header, (_, part) => {
      read.push(part);
      const stored = parts.get(part);
      return stored && new Uint8Array(stored);
    });
    for (let time = 0; time < 2; time += 1) {
      segment.column('visitor');
      segment.column('class');
      segment.codes('page');
      segment.codes('event');
      segment.property(1);
      segment.property(2);
      expect(read.splice(0)).toEqual(['visits', 'dictionaries', 'properties']);
      segment.closeParts();
      segment.column('visitor');
      expect(read).toEqual([]);
      segment.drop();
      expect(segment.bytes).toBe(0);
    }
    parts.delete('events');
    expect(() => segment.codeColumn('page')).toThrow('Segment 7 has no events part.');
  });

  test('frees at once what it was read from and what it has read, when it is dropped', () => {
    const fresh = differentVisits(3);
    const parts = new Map(createSegmentStore(log.database).encode(fresh).parts);
    const read: Uint8Array[] = [];
    const segment = Segment.stored(7, fresh.header, (_, part) => {
      const blob = new Uint8Array(parts.get(part) ?? []);
      read.push(blob);
      return blob;
    });
    const kept = [
      segment.column('visitor'),
      segment.codes('page'),
      ...[...segment.properties().values()].flatMap((property) => Object.values(property)),
    ];
    expect(kept.every(({ length }) => length > 0)).toBe(true);
    segment.drop();
    expect([...read, ...kept].filter(({ length }) => length > 0)).toEqual([]);
  });
});
