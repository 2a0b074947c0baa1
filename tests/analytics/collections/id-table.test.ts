import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { IdTable, type StoredId } from '../../../src/analytics/embedded/collections/id-table.ts';

const text = fc.string({ maxLength: 20 });
/** Draws from few words, so that ids share all but one of them. */
const word = fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1);
const uuid = fc
  .tuple(word, word, word, word)
  .map(
    (words) => new Uint8Array(Buffer.concat(words.map((one) => Buffer.from(new Uint32Array([one]).buffer)))),
  );
const anyId = fc.oneof(text, uuid, fc.uint8Array({ minLength: 16, maxLength: 16 }));
const nameOf = (id: StoredId) => (typeof id === 'string' ? `t${id}` : Buffer.from(id).toString('hex'));

describe('numbers by ids', () => {
  test('are those that were set last, in the order of SQLite, whatever the ids', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyId, fc.integer({ min: 1, max: 2 ** 32 - 1 })), { maxLength: 600 }),
        (all) => {
          const numbers = new IdTable();
          const expected = new Map<string, number>();
          for (const [id, number] of all) {
            numbers.set(id, number);
            expected.set(nameOf(id), number);
            expect(numbers.find(id)).toBe(number);
          }
          expect(numbers.size).toBe(expected.size);
          for (const [id] of all) expect(numbers.find(id)).toBe(expected.get(nameOf(id)) ?? 0);
          const found = [...numbers.inOrder()];
          expect(new Map(found.map(([id, number]) => [nameOf(id), number]))).toEqual(expected);
          const uuids = found.flatMap(([id]) => (typeof id === 'string' ? [] : [nameOf(id)]));
          expect(uuids).toEqual([...uuids].sort());
          numbers.clear();
          expect([numbers.size, ...numbers.inOrder()]).toEqual([0]);
          for (const [id] of all) expect(numbers.find(id)).toBe(0);
        },
      ),
    );
  });

  test('are kept of tens of thousands that differ in their last bytes only', () => {
    const idOf = (index: number) => {
      const id = Buffer.alloc(16, 7);
      id.writeUInt32BE(index, 12);
      return id;
    };
    const numbers = new IdTable();
    for (let index = 0; index < 50_000; index += 1) numbers.set(idOf(index), index + 1);
    expect(numbers.size).toBe(50_000);
    let wrong = 0;
    for (let index = 0; index < 50_000; index += 1) if (numbers.find(idOf(index)) !== index + 1) wrong += 1;
    expect(wrong).toBe(0);
    expect(numbers.find(idOf(50_000))).toBe(0);
  });
});
