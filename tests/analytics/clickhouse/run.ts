import { expect } from 'bun:test';
import { derive } from '../../../src/analytics/clickhouse/derived.ts';
import { createClickHouseAnalytics } from '../../../src/analytics/clickhouse/engine.ts';
import { createClickHouseLog } from '../../../src/log/clickhouse/event-log.ts';
import { openEventsServer } from '../../../src/log/clickhouse/open.ts';
import { createClickHouseRemover } from '../../../src/log/clickhouse/remover.ts';
import { EVENT_COLUMNS, type EventCells, toStoredEvent } from '../../../src/log/clickhouse/rows.ts';
import type { EventsServer } from '../../../src/log/clickhouse/server.ts';
import { sql } from '../../../src/log/clickhouse/sql.ts';
import type { ClickHouse } from '../../support/clickhouse.ts';
import type { Limits } from '../oracle/log.ts';
import type { RawEvent } from '../oracle/raw-event.ts';
import type { Script } from '../oracle/script.ts';
import { openStageOn, type Stage, type StageLog } from '../oracle/stage.ts';
import { WEBSITE_KEYS } from '../oracle/traffic.ts';

/** Nothing is folded: every text keeps its name. */
const NO_BOUNDS = {
  pages: Number.POSITIVE_INFINITY,
  hosts: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
};

/** Plays a script on an empty database of the server, then does what is to be done there. */
export async function runOn(
  clickHouse: ClickHouse,
  { sizes, steps }: Pick<Script, 'sizes' | 'steps'>,
  then?: (stage: Stage) => Promise<void>,
): Promise<void> {
  const url = await clickHouse.createDatabase();
  const server = await openEventsServer({ url, caFile: undefined });
  const { visitEventsMax } = sizes;
  const limits: Limits = { bounds: NO_BOUNDS, ...(visitEventsMax !== undefined && { visitEventsMax }) };
  const create = () =>
    createClickHouseAnalytics({
      server,
      now: Date.now,
      ...(visitEventsMax !== undefined && { visitEventsMax }),
    });
  const stage = await openStageOn(openLog(server), create, { limits });
  try {
    for (const step of steps) await stage.play(step);
    await then?.(stage);
    await stage.checkLog();
  } finally {
    await server.close();
    await clickHouse.command(`DROP DATABASE ${new URL(url).pathname.slice(1)}`);
  }
}

function openLog(server: EventsServer): StageLog {
  const log = createClickHouseLog({
    server,
    findLive: async () => new Set(WEBSITE_KEYS),
    findRunning: () => Promise.resolve(new Set()),
    derive,
    isShared: true,
    now: Date.now,
  });
  async function readAfter(key = -1): Promise<RawEvent[]> {
    const rows = await server.read<EventCells>(
      sql`SELECT ${EVENT_COLUMNS} FROM events WHERE key > ${key} ORDER BY key`,
    );
    return rows.map(toStoredEvent).map(({ event, importKey: _, ...rest }) => ({ ...event, ...rest }));
  }
  return {
    append: log.append,
    readAfter,
    remover: createClickHouseRemover(server),
    async check(keys) {
      expect((await readAfter()).map(({ key }) => key)).toEqual([...keys]);
    },
  };
}
