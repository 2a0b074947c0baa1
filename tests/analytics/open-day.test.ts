import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS, dayOf, EXTRA_COLUMNS, WIDE_COLUMNS } from '../../src/analytics/day.ts';
import { decodeLayout } from '../../src/analytics/day-pieces.ts';
import { createDayStore } from '../../src/analytics/day-store.ts';
import { type OpenDay, openDay } from '../../src/analytics/open-day.ts';
import type { PendingEvent } from '../../src/analytics/read-event.ts';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { runs } from './oracle/runs.ts';
import { createTestLog, HOUR_MS, START_MS, WEBSITE, writeNow } from './support.ts';

const DAY = dayOf(START_MS);

/**
 * Few visitors, classes and instants, so that events of one instant and visits that are joined later are many; and some
 * of others, whose visits only move.
 */
const event = fc.record({
  do: fc.constant('add' as const),
  visitor: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 7, max: 9 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
  ),
  class: fc.integer({ min: 0, max: 1 }),
  atMs: fc.integer({ min: 0, max: 60 }).map((step) => step * (HOUR_MS / 4)),
  type: fc.integer({ min: 0, max: 1 }),
  page: fc.integer({ min: 0, max: 300 }),
  plan: fc.option(fc.constantFrom('free', 'paid'), { freq: 2 }),
});
const step = fc.oneof(
  { weight: 12, arbitrary: event },
  { weight: 2, arbitrary: fc.constant({ do: 'ask' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'ask for more' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'save' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'open again' as const }) },
);
/** A day of more than twice as many is stored in pieces. */
const pieceEvents = fc.constantFrom(1_000_000, 4, 20);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

describe('a day that grows', () => {
  test('is written to the byte as if it had been made in one go, whenever it was asked for and saved', async () => {
    const { database, close } = await createTestLog();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150, size: 'max' }), pieceEvents, (steps, size) => {
        database.exec('DELETE FROM day_blocks; DELETE FROM day_columns');
        const asked = play(database, [...steps, { do: 'ask for more' }, { do: 'save' }], size);
        const grown = writtenBytes(database);
        const events = steps.filter((one) => one.do === 'add');
        database.exec('DELETE FROM day_blocks; DELETE FROM day_columns');
        const whole = play(database, [...events, { do: 'ask for more' }, { do: 'save' }], size);
        expect(asked.at(-1)).toEqual(whole.at(-1) as unknown[]);
        expect(grown).toEqual(writtenBytes(database));
      }),
      runs(100),
    );
    close();
  }, 60_000);

  test('tells of a block that somebody else has replaced, and mixes nothing up', async () => {
    const { database, close } = await createTestLog();
    const one = { do: 'add', visitor: 1, class: 0, atMs: 0, type: 0, page: 1, plan: null } as const;
    const store = createDayStore(database);
    play(database, [one, one, { do: 'save' }]);
    const open = openDay(store, WEBSITE, DAY);
    store.remove(WEBSITE, DAY);
    play(database, [one, { do: 'save' }]);
    expect(open.current().eventCount).toBe(2);
    expect(() => [...open.wide('key')]).toThrow('is another one than the one that was opened');
    close();
  });
});

/** @returns all columns, each time they were asked for */
function play(database: LocalDatabase, steps: readonly Step[], pieces?: number): unknown[][] {
  const store = createDayStore(database, pieces);
  const asked: unknown[][] = [];
  let open = openDay(store, WEBSITE, DAY);
  let key = 0;
  for (const one of steps) {
    if (one.do === 'add') {
      key += 1;
      open.add(toPending(one, key));
    } else if (one.do === 'ask') open.current();
    else if (one.do === 'ask for more') asked.push(columnsOf(open));
    else {
      writeNow(open.prepare(key));
      open.saved();
      if (one.do === 'open again') open = openDay(store, WEBSITE, DAY);
    }
  }
  return asked;
}

function toPending({ plan, atMs, ...one }: Extract<Step, { do: 'add' }>, key: number): PendingEvent {
  return {
    ...one,
    key,
    createdAtMs: DAY * DAY_MS + atMs,
    hostname: key % 3,
    event: key % 5,
    client: key,
    origin: key,
    session: key * 2 ** 40,
    properties: plan ? [{ key: 'plan', value: plan, number: undefined }] : [],
  };
}

function columnsOf(open: OpenDay): unknown[] {
  const { extra, wide, ...core } = open.current();
  return [
    { ...core },
    ...EXTRA_COLUMNS.map((name) => [...open.extra(name)]),
    ...WIDE_COLUMNS.map((name) => [...open.wide(name)]),
  ];
}

/** But for the generation of the pieces, which takes turns. */
function writtenBytes(database: LocalDatabase): unknown[] {
  const columns = database
    .prepare('SELECT name, hex(data) AS data FROM day_columns ORDER BY name')
    .all([]) as { name: string; data: string }[];
  const names = columns.map(({ name }) => name);
  expect(
    names.filter(
      (name) => name.startsWith('piece:1:') && names.some((other) => other.startsWith('piece:2:')),
    ),
  ).toEqual([]);
  const [row] = database.prepare('SELECT until_key, data FROM day_blocks').all([]) as {
    until_key: number;
    data: Uint8Array;
  }[];
  const layout = row && decodeLayout(row.data);
  return [
    row?.until_key,
    layout ? [...layout.visits, ...layout.events] : row?.data,
    ...columns.map(({ name, data }) => [name.replace(/^piece:.:/, ''), data]),
  ];
}
