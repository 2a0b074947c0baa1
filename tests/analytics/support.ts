import type { Analytics } from '../../src/analytics/analytics.ts';
import { createEngine, type Engine } from '../../src/analytics/embedded/engine.ts';
import type { Query } from '../../src/analytics/interface/query.ts';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { NewEvent } from '../../src/log/event.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { mapEventTexts, NO_READ_TEXTS } from '../../src/vocabulary/event-texts.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** A midnight, UTC. */
export const START_MS = Date.UTC(2026, 2, 2);
export const WEBSITE = 1;

export type Given = Partial<Omit<NewEvent, 'website' | 'createdAtMs'>> & {
  /** Milliseconds after START_MS. */
  at: number;
  website?: number;
  path?: string;
};

let ids = 0;

/** A pageview of `/` by visitor v1, but for what is given. */
export function toEvent({ at, website = WEBSITE, path = '/', ...given }: Given): NewEvent {
  ids += 1;
  return {
    id: `00000000-0000-7000-8000-${ids.toString(16).padStart(12, '0')}`,
    // The log looks at nothing of a website but its key.
    website: { key: website },
    createdAtMs: START_MS + at,
    eventType: 'pageview',
    url: `https://example.com${path}`,
    referrer: null,
    sessionId: 's1',
    visitorId: 'v1',
    deviceType: 'desktop',
    ...mapEventTexts(() => null),
    ...NO_READ_TEXTS,
    browser: 'Firefox',
    os: 'Linux',
    location: 'DE',
    language: 'de',
    screen: '1920x1080',
    properties: null,
    flags: 0,
    ...given,
  };
}

export type TestLog = {
  database: LocalDatabase;
  add(...events: Given[]): void;
  /** A new engine on the same database, as after a restart. */
  engine(cacheBytesMax?: number): Engine;
  close(): void;
};

/** A log in memory with two websites. */
export async function createTestLog(): Promise<TestLog> {
  const { local, close } = await openDatabase({ kind: 'memory' }, 'normal');
  if (!local) throw new Error('A database in memory is local.');
  for (const key of [1, 2])
    local.exec(
      `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
       VALUES (${key}, 'w${key}', 'w', 'https://w${key}.example', 'w${key}', '', 'pm-${key}', 0, 0)`,
    );
  const log = createLocalLog(local);
  return {
    database: local,
    add: (...events) => void log.append(events.map(toEvent)),
    engine: (cacheBytesMax = 1_000_000) =>
      createEngine({
        database: local,
        cacheBytesMax,
        onError: (error) => {
          throw error;
        },
      }),
    close,
  };
}

/** The first ten days, everything of one website. */
export function all(request: Partial<Query> = {}): Query {
  return { websiteKey: WEBSITE, fromMs: START_MS, toMs: START_MS + 10 * DAY_MS, totals: true, ...request };
}

export async function totalsOf(analytics: Analytics, request: Partial<Query> = {}) {
  const { totals } = await analytics.query(all(request));
  return totals;
}
