import Database from 'libsql';
import { eventFor } from '../../support/event.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { percentile, probe } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const BATCH = 1_000;
const SENDERS = 4;
const DELETE_MS_MAX = 200;
const LAG_MS_MAX = 100;
/** A look holds this process, and with it those who measure. */
const LOOK_MS = 50;
const PURGE_MS_MAX = 120_000;
/** The engine resumes every ten seconds. */
const FOLLOW_LOOK_MS = 500;
/** Numbers of parts that a segment has at most, and of dictionaries of a website. */
const PARTS = 8;
const SCOPES = 2 ** 24;

/** A website with many events is deleted while they still arrive; the service is killed and restarted meanwhile. */
export async function tryBigDelete({ isLong, seed }: BarOptions): Promise<BarResult> {
  const count = isLong ? 400_000 : 20_000;
  const faults: string[] = [];
  const stage = await openStage({ seed });
  const doomed = await stage.addWebsite('https://doomed.example');
  await fill(stage, doomed.trackingCode, count);
  await derive(stage, doomed.id);
  const clients = stage.createClients(2, { pauseMs: 5 });
  await clients[0]?.run(stage.url(), () => stage.ledger.acknowledged.size > 100); // of the other website

  const url = stage.url();
  const lastId = await firstId(stage, doomed.trackingCode);
  const late: number[] = [];
  let isOver = false;
  const sending = sendLate(stage, doomed.trackingCode, late, () => isOver);
  const startedMs = performance.now();
  const deleted = await stage.call('DELETE', `/websites/${doomed.id}`, stage);
  const deleteMs = performance.now() - startedMs;
  const lag = probe(() => fetch(`${url}/api/ping`), { everyMs: 5 });
  if (deleted.status !== 200) faults.push(`the deletion was answered ${deleted.status}`);
  for (const [path, expected] of [
    [`/events?trackingCode=${doomed.trackingCode}`, 404],
    [`/events/${lastId}`, 404],
    [`/websites/${doomed.id}`, 404],
    [`/websites/${doomed.id}/stats`, 404],
  ] as const) {
    const { status } = await stage.call('GET', path, stage);
    if (status !== expected) faults.push(`${path} was answered ${status} right after the deletion`);
  }
  await sendOne(stage, doomed.trackingCode).then((status) => {
    if (status !== 404) faults.push(`an event right after the deletion was answered ${status}`);
  });
  const leftAtKill = await waitFor(stage, (left) => left < count * 0.7);
  isOver = true;
  await Promise.all([sending, lag.stop()]);
  faults.push(...lag.faults);
  await stage.kill();
  if (leftAtKill === 0 && isLong) faults.push('the purge was over before the kill');
  if (late.some((status) => status !== 201 && status !== 404))
    faults.push(`late events were answered ${late}`);
  if (!late.includes(404)) faults.push('no event was on its way when the website was deleted');

  await stage.start();
  const lagAfter = probe(() => fetch(`${stage.url()}/api/ping`), { everyMs: 5 });
  const purgeStartedMs = performance.now();
  await waitFor(stage, (left) => left === 0);
  const purgeMs = performance.now() - purgeStartedMs;
  await lagAfter.stop();
  // The engine wakes by itself, after half a minute.
  if (!isLong) await stage.call('GET', `/websites/${stage.website.id}/stats`, stage);
  faults.push(...lagAfter.faults, ...(await findOrphans(stage, doomed.id)), ...(await stage.finish(clients)));

  const lagMs = percentile([...lag.tookMs, ...lagAfter.tookMs], 1);
  const lag99Ms = percentile([...lag.tookMs, ...lagAfter.tookMs], 0.99);
  if (isLong && deleteMs > DELETE_MS_MAX) faults.push(`the deletion took ${deleteMs.toFixed(0)} ms`);
  if (isLong && lagMs > LAG_MS_MAX) faults.push(`a bystander waited ${lagMs.toFixed(0)} ms`);
  return {
    figure: `${count} events: deletion answered after ${deleteMs.toFixed(0)} ms, killed with ${leftAtKill} left, which went in ${(purgeMs / 1_000).toFixed(1)} s after the restart; a bystander waited p99 ${lag99Ms.toFixed(0)} ms, at most ${lagMs.toFixed(0)} ms; ${faults.length} faults`,
    faults,
  };
}

async function fill(stage: Stage, trackingCode: string, count: number): Promise<void> {
  let left = count;
  async function send(): Promise<void> {
    while (left > 0) {
      left -= BATCH;
      const events = Array.from({ length: BATCH }, (_, index) =>
        eventFor(trackingCode, {
          url: `https://doomed.example/${index % 200}`,
          visitorId: `visitor-${(left + index) % 5_000}`,
        }),
      );
      const { status } = await stage.call('POST', '/events/batch', { body: { events } });
      if (status !== 201) throw new Error(`A batch was answered ${status}.`);
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, send));
}

/** So that there is something to remove of what the engine keeps. */
async function derive(stage: Stage, websiteId: string): Promise<void> {
  const { status } = await stage.call('GET', `/websites/${websiteId}/stats`, stage);
  if (status !== 200) throw new Error(`The statistics were answered ${status}.`);
  await stage.service().stop();
  for (const table of ['segments', 'visitors'])
    if (ask(stage, `SELECT count(*) AS count FROM ${table} WHERE website_key = 2`) === 0)
      throw new Error(`There are no rows of ${table}.`);
  await stage.start();
}

async function firstId(stage: Stage, trackingCode: string): Promise<string> {
  const { body } = await stage.call('GET', `/events?trackingCode=${trackingCode}&limit=1`, stage);
  return body.events[0].id;
}

async function sendLate(
  stage: Stage,
  trackingCode: string,
  statuses: number[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    statuses.push(await sendOne(stage, trackingCode));
    await Bun.sleep(1);
  }
}

async function sendOne(stage: Stage, trackingCode: string): Promise<number> {
  return (await stage.call('POST', '/events', { body: eventFor(trackingCode) })).status;
}

/** Polls the counters next to the service until few enough events of the deleted website are left. */
async function waitFor(stage: Stage, isEnough: (left: number) => boolean): Promise<number> {
  const deadlineMs = performance.now() + PURGE_MS_MAX;
  for (;;) {
    const left = ask(stage, 'SELECT total(count) AS count FROM event_counts WHERE website_key = 2');
    if (isEnough(left)) return left;
    if (performance.now() > deadlineMs) throw new Error(`${left} events are still there.`);
    await Bun.sleep(LOOK_MS);
  }
}

/** Rows that a deleted website may leave in any table. The row of the website goes last; the engine follows by itself. */
async function findOrphans(stage: Stage, websiteId: string): Promise<string[]> {
  const deadlineMs = performance.now() + PURGE_MS_MAX;
  while (ask(stage, `SELECT count(*) AS count FROM websites WHERE id = '${websiteId}'`) > 0) {
    if (performance.now() > deadlineMs) return ['the website itself is still there'];
    await Bun.sleep(LOOK_MS);
  }
  for (;;) {
    const faults = [
      ...['events', 'event_counts', 'segments', 'visitors'].map((table) => [table, 'website_key = 2']),
      ['segment_parts', `key / ${PARTS} NOT IN (SELECT id FROM segments)`],
      ['terms', `scope / ${SCOPES} = 2`],
    ].flatMap(([table, condition]) => {
      const left = ask(stage, `SELECT count(*) AS count FROM ${table} WHERE ${condition}`);
      return left === 0 ? [] : [`${left} rows of ${table} are left`];
    });
    if (faults.length === 0 || performance.now() > deadlineMs) return faults;
    await Bun.sleep(FOLLOW_LOOK_MS);
  }
}

function ask(stage: Stage, sql: string): number {
  const database = new Database(stage.databasePath);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    const { count } = database.prepare(sql).get() as { count: number }; // the one column of the query
    return count;
  } finally {
    database.close();
    Bun.gc(true); // libSQL closes the file only when its statements are collected
  }
}
