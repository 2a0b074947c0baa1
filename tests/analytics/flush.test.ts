import { afterEach, describe, expect, type Mock, spyOn, test } from 'bun:test';
import type { Engine } from '../../src/analytics/embedded/engine.ts';
import { createTestLog, MINUTE_MS, type TestLog } from './support.ts';

let clock: Mock<typeof performance.now> | undefined;
afterEach(() => clock?.mockRestore());

async function followLater(engine: Engine, ms: number): Promise<void> {
  const laterMs = performance.now() + ms;
  clock?.mockRestore();
  clock = spyOn(performance, 'now').mockImplementation(() => laterMs);
  while (!(await engine.follow()));
}

function storedEvents({ database }: TestLog): number {
  const { events } = database.prepare('SELECT sum(events) AS events FROM segments').get([]) as {
    events: number | null; // of no segment
  };
  return events ?? 0;
}

describe('events that were read', () => {
  test('are written after a quarter of a minute where they are many', async () => {
    const log = await createTestLog();
    const engine = log.engine();
    log.add(...Array.from({ length: 10_000 }, (_, at) => ({ at })));
    await followLater(engine, 0);
    expect(storedEvents(log)).toBe(0);
    await followLater(engine, 16_000);
    expect(storedEvents(log)).toBe(10_000);
    log.close();
  });

  test('wait for minutes where they are few, and no longer', async () => {
    const log = await createTestLog();
    const engine = log.engine();
    log.add({ at: 0 }, { at: 1 });
    await followLater(engine, 4 * MINUTE_MS);
    log.add({ at: 2 });
    await followLater(engine, 0);
    expect(storedEvents(log)).toBe(0);
    await followLater(engine, 2 * MINUTE_MS);
    expect(storedEvents(log)).toBe(3);
    log.close();
  });
});
