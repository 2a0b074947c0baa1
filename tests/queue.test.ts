import { expect, test } from 'bun:test';
import { createQueue } from '../src/process/queue.ts';

test('a queue runs one piece of work at a time, and continues after one that fails', async () => {
  const inTurn = createQueue();
  const steps: string[] = [];
  const work = (name: string, outcome: 'done' | 'failed') => async () => {
    steps.push(`${name} begins`);
    await Promise.resolve();
    steps.push(`${name} ends`);
    if (outcome === 'failed') throw new Error(name);
    return name;
  };
  const outcomes = await Promise.allSettled([inTurn(work('a', 'failed')), inTurn(work('b', 'done'))]);
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  expect(outcomes).toEqual([
    { status: 'rejected', reason: new Error('a') },
    { status: 'fulfilled', value: 'b' },
  ]);
});
