import { expect, test } from 'bun:test';
import { createWriter } from '../../src/events/writer.ts';
import type { NewEvent, Outcome } from '../../src/log/event.ts';

/** How arriving events are divided into groups, by a log that ends each on demand. */

const REQUEST = Array.from({ length: 10 }, (_, index) => ({ id: String(index) }) as NewEvent); // nothing else is read

function open(atOnce: number) {
  const groups: { events: number; end: (outcomes: Outcome[]) => void }[] = [];
  const append = (events: readonly NewEvent[]) => {
    const { promise, resolve } = Promise.withResolvers<Outcome[]>();
    groups.push({ events: events.length, end: resolve });
    return promise;
  };
  const options = {
    queueMax: 1_000,
    groupLimits: { eventsMax: 1_000, atOnce },
    monotonicMs: performance.now,
    onError() {},
  };
  const writer = createWriter({ append }, options);
  return {
    writer,
    /** Sizes of the groups so far. */
    sizes: () => groups.map(({ events }) => events),
    end: (group: number) => groups[group]?.end([]),
    async arrive(requests: number) {
      for (let count = 0; count < requests; count += 1) void writer.write(REQUEST);
      await Bun.sleep(0); // a turn of the event loop
    },
  };
}

test('a second group is sent alongside the first once half as much waits, and never a third', async () => {
  const { arrive, sizes, end } = open(2);
  await arrive(4);
  expect(sizes()).toEqual([40]);
  await arrive(1);
  expect(sizes()).toEqual([40]);
  await arrive(1);
  expect(sizes()).toEqual([40, 20]);
  await arrive(10);
  expect(sizes()).toEqual([40, 20]);
  end(0);
  await Bun.sleep(0);
  expect(sizes()).toEqual([40, 20, 100]);
});

test('a log that takes one group at a time has one, and the writer is closed when the last has ended', async () => {
  const { writer, arrive, sizes, end } = open(1);
  await arrive(1);
  await arrive(9);
  expect(sizes()).toEqual([10]);
  let isClosed = false;
  const closed = writer.close().then(() => (isClosed = true));
  end(0);
  await Bun.sleep(0);
  expect({ sizes: sizes(), isClosed }).toEqual({ sizes: [10, 90], isClosed: false });
  end(1);
  await closed;
  expect(writer.queueSize()).toBe(0);
});
