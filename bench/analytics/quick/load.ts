import type { LocalDatabase } from '../../../src/db/local-database.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { FIVE_WEBSITES, generateTraffic } from '../../../src/demo/traffic.ts';
import { type TrafficEvent, toNewEvent } from '../../../src/demo/traffic-event.ts';
import type { NewEvent } from '../../../src/log/event.ts';
import { createLocalLog } from '../../../src/log/local-log.ts';

/** The traffic is always the same, so two runs differ in nothing but the code. */
export const END_MS = Date.UTC(2026, 9, 5);
const DAYS = 90;
const GROUP = 1_000;

/** The website of the traffic's index has this key. */
export function keyOf(website: number): number {
  return website + 1;
}

export function toStored(event: TrafficEvent): NewEvent {
  const website = { key: keyOf(event.website), id: '', userId: '', allowedOrigins: [], excludedRanges: [] };
  return toNewEvent(event, website);
}

export function insertWebsites(local: LocalDatabase): void {
  FIVE_WEBSITES.forEach(({ domain }, index) => {
    local
      .prepare(
        `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
         VALUES (?, ?, '', ?, ?, '', ?, 0, 0)`,
      )
      .run([keyOf(index), `website-${index}`, domain, domain, `pm-${index}`]);
  });
}

/** Stores the events in a new file. @returns the time that the log took, without the time to invent the events */
export async function loadLog(path: string, events: number): Promise<{ storingMs: number }> {
  const database = await openDatabase({ kind: 'file', path }, 'normal');
  const { local } = database;
  if (!local) throw new Error('A file is a local database.');
  insertWebsites(local);
  const log = createLocalLog(local);
  let storingMs = 0;
  let group: NewEvent[] = [];
  const store = () => {
    const startedAtMs = performance.now();
    log.append(group);
    storingMs += performance.now() - startedAtMs;
    group = [];
  };
  for (const event of generateTraffic({
    seed: 1,
    websites: FIVE_WEBSITES,
    days: DAYS,
    events,
    endMs: END_MS,
  })) {
    group.push(toStored(event));
    if (group.length === GROUP) store();
  }
  store();
  database.close();
  return { storingMs };
}
