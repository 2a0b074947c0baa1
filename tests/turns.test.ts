import { describe, expect, test } from 'bun:test';
import { createTurns, type TurnRequest } from '../src/process/turns.ts';
import { unavailableError } from '../src/vocabulary/errors.ts';

const refusal = () => unavailableError('Too much waits', 5);
const REFUSED = { code: 'SERVICE_UNAVAILABLE', message: 'Too much waits' };

/** Work that lasts until it is ended, and the order in which it was begun. */
function start(bounds: { atWorkMax?: number; atWorkOfOneMax?: number; waitingMax?: number }) {
  const inTurn = createTurns({ atWorkMax: 1, waitingMax: 100, refusal, ...bounds });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    add(name: string, sender: TurnRequest = {}): Promise<string> {
      return inTurn(async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      }, sender);
    },
    async end(name: string): Promise<void> {
      await passed(); // it has begun
      ends.get(name)?.();
      await passed();
    },
    inTurn,
  };
}

/** Everything that needs no time has happened. */
const passed = () => new Promise((resolve) => setImmediate(resolve));

/** Each in the line of its first letter: `a1`. */
const ofLine = (name: string) => ({ line: name.charAt(0) });

describe('turns', () => {
  test('begin what came first when a place is free', async () => {
    const { begun, add, end } = start({ atWorkMax: 2 });
    for (const name of ['first', 'second', 'third', 'fourth']) void add(name);
    await passed();
    expect(begun).toEqual(['first', 'second']);
    await end('second');
    expect(begun).toEqual(['first', 'second', 'third']);
    await end('first');
    expect(begun).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('go from line to line, whatever their length', async () => {
    const { begun, add, end } = start({});
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void add(name, ofLine(name));
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('give the next place to a line that has less at work', async () => {
    const { begun, add, end } = start({ atWorkMax: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void add(name, ofLine(name));
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  test('leave a place free rather than give one line more than its share', async () => {
    const { begun, add, end } = start({ atWorkMax: 3, atWorkOfOneMax: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name, ofLine(name));
    await passed();
    expect(begun).toEqual(['a1', 'a2']);
    void add('b1', ofLine('b1'));
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  test('give what the work gives, and the place of work that fails to the next', async () => {
    const { add, end, inTurn } = start({});
    const failing = inTurn(() => Promise.reject(new Error('broken')));
    const next = add('next');
    await expect(failing).rejects.toThrow('broken');
    await end('next');
    expect(await next).toBe('next');
  });

  test('refuse what comes when too much waits, and take it again when there is room', async () => {
    const { begun, add, end } = start({ waitingMax: 2 });
    for (const name of ['first', 'second', 'third']) void add(name);
    await expect(add('fourth')).rejects.toMatchObject(REFUSED);
    await end('first');
    void add('fifth');
    for (const name of ['second', 'third']) await end(name);
    expect(begun).toEqual(['first', 'second', 'third', 'fifth']);
  });

  test('refuse the last of the longest line, so that no line takes all the places', async () => {
    const { begun, add, end } = start({ waitingMax: 4 });
    const [, , , a4, a5] = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add(name, ofLine(name)));
    void add('b1', ofLine('b1'));
    await expect(a5).rejects.toMatchObject(REFUSED);
    void add('b2', ofLine('b2'));
    await expect(a4).rejects.toMatchObject(REFUSED);
    await expect(add('b3', ofLine('b3'))).rejects.toMatchObject(REFUSED);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('a full queue never refuses the only entry of a line, in any order', async () => {
    const { begun, add, end } = start({ waitingMax: 2 });
    void add('a1', ofLine('a1'));
    const b1 = add('b1', ofLine('b1'));
    const a2 = add('a2', ofLine('a2'));
    void add('c1', ofLine('c1'));
    await expect(a2).rejects.toMatchObject(REFUSED); // its line has a place at work
    void add('d1', ofLine('d1'));
    await expect(b1).rejects.toMatchObject(REFUSED);
    for (const name of ['a1', 'c1', 'd1']) await end(name);
    expect(begun).toEqual(['a1', 'c1', 'd1']);
  });

  test('go from sender to sender within a line', async () => {
    const { begun, add, end } = start({});
    const by = (within: string) => ({ line: 'a', within });
    for (const name of ['x1', 'x2', 'x3', 'y1', 'y2']) void add(name, by(name.charAt(0)));
    void add('b1', ofLine('b1'));
    for (const name of ['x1', 'b1', 'y1', 'x2', 'y2']) await end(name);
    expect(begun).toEqual(['x1', 'b1', 'y1', 'x2', 'y2', 'x3']);
  });

  test('refuse the sender of a line who has most in it', async () => {
    const { add } = start({ waitingMax: 3 });
    const by = (within: string) => ({ line: 'a', within });
    const [, , , x4] = ['x1', 'x2', 'x3', 'x4'].map((name) => add(name, by('x')));
    void add('y1', by('y'));
    await expect(x4).rejects.toMatchObject(REFUSED);
  });

  test('cancelled work does not begin', async () => {
    const { begun, add, end } = start({});
    const gone = new AbortController();
    void add('a1');
    const dropped = add('a2', { signal: gone.signal });
    void add('a3');
    gone.abort();
    const [fate] = await Promise.allSettled([dropped, end('a1')]);
    expect(fate).toMatchObject({ reason: { status: 400, message: 'The client disconnected' } });
    expect(begun).toEqual(['a1', 'a3']);
    await expect(add('a4', { signal: gone.signal })).rejects.toMatchObject({ status: 400 });
  });

  test('cancelled work is dropped before new work is refused', async () => {
    const { add } = start({ waitingMax: 2 });
    const gone = new AbortController();
    void add('a1');
    const dropped = [add('a2', { signal: gone.signal }), add('a3', { signal: gone.signal })];
    gone.abort();
    void add('b1');
    void add('b2');
    expect((await Promise.allSettled(dropped)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(add('b3')).rejects.toMatchObject(REFUSED);
  });
});
