import { expect, test } from 'bun:test';
import { createEngine } from '../../src/analytics/embedded/engine.ts';
import { openDatabase } from '../../src/db/open.ts';
import { openStage } from './oracle/stage.ts';
import { FIRST_DAY_MS, type Sketch } from './oracle/traffic.ts';

/** Random histories are too small for a branch of less than 0.1 %. */

/** Seven of these are not less than 0.1 %. */
const VISITS = 7_000;
const PAGES = 2_000;

/** Some pages are seen often, most seldom. The same each time. */
function visits(): Sketch[] {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  return Array.from({ length: VISITS }, (_, visit) =>
    Array.from({ length: 1 + Math.floor(random() * 8) }, (_, stop): Sketch => {
      const page = Math.floor(random() ** 4 * PAGES);
      return {
        createdAtMs: FIRST_DAY_MS + visit * 10_000 + stop * 1_000,
        visitorId: `visitor-${visit}`,
        url: `https://a.example/${page}`,
        ...(page === 3 && { eventType: 'custom', properties: '{"name":"signup"}' }),
      };
    }),
  ).flat();
}

test('branches of less than 0.1 % are merged, as the naive implementation merges them', async () => {
  const database = await openDatabase({ kind: 'memory' }, 'normal');
  const { local } = database;
  if (!local) throw new Error('A database in memory is local.');
  const onError = (error: unknown) => {
    throw error;
  };
  const options = { cacheBytesMax: 2 ** 24, segmentEventsMax: 1_000, onError };
  const stage = await openStage(database, () => createEngine({ database: local, ...options }));
  try {
    await stage.play({ do: 'store', events: visits() });
    const all = { websiteKey: 1, fromMs: 0, toMs: 2 * FIRST_DAY_MS };
    const first = { op: 'match', dimension: 'page', operator: 'is', values: ['/0'] } as const;
    const signup = { op: 'match', dimension: 'event', operator: 'is', values: ['signup'] } as const;
    for (const direction of ['from', 'to'] as const)
      for (const anchor of [undefined, first, signup])
        await stage.compare({ ask: 'journeys', request: { ...all, direction, ...(anchor && { anchor }) } });
    const { visits: count, branches } = await stage.engine().journeys({ ...all, direction: 'from' });
    expect(count).toBe(VISITS);
    expect(branches.at(-1)).toMatchObject({ stop: 'other', value: null, branches: [] });
    expect(branches.reduce((sum, branch) => sum + branch.visits, 0)).toBe(VISITS);
    expect(branches.slice(0, -1).every((branch) => branch.visits * 1_000 >= VISITS)).toBe(true);
  } finally {
    await stage.close();
    database.close();
  }
});
