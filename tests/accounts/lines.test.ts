import { describe, expect, test } from 'bun:test';
import { createLines } from '../../src/accounts/lines.ts';
import { AppError } from '../../src/errors.ts';

/** What was told to go on has done so. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and what was begun in which order. */
function createBench() {
  const inLine = createLines({
    atWorkMax: 2,
    lines: { first: { atWorkMax: 2, waitingMax: 3 }, last: { atWorkMax: 1, waitingMax: 3 } },
    refusal: () => new AppError('SERVICE_UNAVAILABLE', 'full'),
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    enter: (line: 'first' | 'last', name: string) =>
      inLine(line, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }),
    /** Ends work, and lets the next one begin. */
    async end(name: string) {
      ends.get(name)?.();
      await turn();
    },
  };
}

describe('lines', () => {
  test('share the places, a line never has more than its own, and an idle place is used', async () => {
    const { begun, enter, end } = createBench();
    for (const name of ['l1', 'l2', 'l3']) void enter('last', name);
    await turn();
    expect(begun).toEqual(['l1']);
    for (const name of ['f1', 'f2', 'f3']) void enter('first', name);
    await turn();
    expect(begun).toEqual(['l1', 'f1']);
    await end('l1');
    expect(begun).toEqual(['l1', 'f1', 'l2']);
    await end('f1');
    expect(begun).toEqual(['l1', 'f1', 'l2', 'f2']);
    await end('l2');
    await end('l3');
    await end('f2');
    expect(begun).toEqual(['l1', 'f1', 'l2', 'f2', 'l3', 'f3']);
  });

  test('a full one refuses, and the other one does not', async () => {
    const { begun, enter } = createBench();
    for (const name of ['l1', 'l2', 'l3', 'l4']) void enter('last', name);
    expect(enter('last', 'l5')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    void enter('first', 'f1');
    await turn();
    expect(begun).toEqual(['l1', 'f1']);
  });

  test('a failure gives its place back', async () => {
    const inLine = createLines({
      atWorkMax: 1,
      lines: { only: { atWorkMax: 1, waitingMax: 5 } },
      refusal: () => new AppError('SERVICE_UNAVAILABLE', 'full'),
    });
    const failing = inLine('only', () => Promise.reject(new Error('failed')));
    const next = inLine('only', async () => 'done');
    expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
