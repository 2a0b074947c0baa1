import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Registered } from '../../src/contract/account.ts';
import type { Website } from '../../src/contract/website.ts';
import { FIVE_WEBSITES, generateTraffic } from '../../src/demo/traffic.ts';
import { type TrafficEvent, toEventInput } from '../../src/demo/traffic-event.ts';
import { call, type Service, startService } from './service.ts';

/** A loaded file: where it is, how to ask about it, and how its loading went. Kept as JSON next to it. */
export type Loaded = {
  file: string;
  events: number;
  /** The traffic fills the 90 days before. */
  endMs: number;
  apiKey: string;
  /** In the order of FIVE_WEBSITES. */
  websites: { id: string; domain: string; trackingCode: string }[];
  /** ISO 8601. */
  loadedAt: string;
  figures: LoadFigures;
};

export type LoadFigures = {
  eventsPerS: number;
  cpuUsPerEvent: number;
  /** From the last acknowledged event to the first answer, which holds all of them. */
  caughtUpS: number;
  afterLoadBytes: number;
  afterCatchUpBytes: number;
};

export const DAYS = 90;
const DAY_MS = 86_400_000;
const BATCH = 100;
/** Batches that are on their way at a time. */
const IN_FLIGHT = 4;
const ATTEMPTS_MAX = 10;
const CATCH_UP_MS_MAX = 600_000;
const BOT_AGENT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const BROWSER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Loads the file through the service, unless that was done before. A file that is not from here is left alone. */
export async function loadOnce(file: string, events: number): Promise<Loaded> {
  const record = `${file}.json`;
  if (existsSync(record)) {
    const known: Loaded = JSON.parse(readFileSync(record, 'utf8')); // written below
    if (known.events === events) return { ...known, file };
    throw new Error(`${file} holds ${known.events} events, not ${events}: name another --file.`);
  }
  if (existsSync(file)) throw new Error(`${file} was not loaded by this bench: name another --file.`);
  const part = `${file}.part`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(part + suffix, { force: true });
  const loaded = await load(part, events);
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(part + suffix)) renameSync(part + suffix, file + suffix);
  rmSync(`${part}.lock`, { force: true });
  rmSync(`${file}.duckdb`, { force: true });
  writeFileSync(record, JSON.stringify({ ...loaded, file }, undefined, 2));
  return { ...loaded, file };
}

/** Through the batch route, with the default settings but one: the events are up to 90 days old. */
async function load(file: string, events: number): Promise<Loaded> {
  const endMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const service = await startService(file, { MAX_EVENT_AGE_DAYS: String(DAYS + 2) });
  const { apiKey, websites } = await createWebsites(service);
  const cpuBeforeMs = service.cpuMs();
  const startedAtMs = performance.now();
  const batches = makeBatches(events, endMs, websites);
  // All of them take from the one generator.
  const senders = Array.from({ length: IN_FLIGHT }, async () => {
    for (const batch of batches) await send(service, batch);
  });
  await Promise.all(senders);
  const loadedAtMs = performance.now();
  const cpuMs = service.cpuMs() - cpuBeforeMs;
  const afterLoadBytes = service.peakRssBytes();
  for (const { id } of websites) await askPatiently(service, `/websites/${id}/stats`, apiKey);
  const caughtUpAtMs = performance.now();
  const afterCatchUpBytes = service.peakRssBytes();
  await service.end();
  const figures = {
    eventsPerS: events / ((loadedAtMs - startedAtMs) / 1_000),
    cpuUsPerEvent: (cpuMs * 1_000) / events,
    caughtUpS: (caughtUpAtMs - loadedAtMs) / 1_000,
    afterLoadBytes,
    afterCatchUpBytes,
  };
  return { file, events, endMs, apiKey, websites, loadedAt: new Date().toISOString(), figures };
}

async function createWebsites(service: Service): Promise<Pick<Loaded, 'apiKey' | 'websites'>> {
  const account = { email: 'owner@example.com', password: 'Correct-horse-9' };
  // What these routes answer with is checked against these very types.
  const { user } = (await call(service, '/auth/register', { body: account })) as Registered;
  const { apiKey } = user;
  const websites: Loaded['websites'] = [];
  for (const { domain } of FIVE_WEBSITES) {
    const body = { name: domain, domain: `https://${domain}` };
    const { id, trackingCode } = (await call(service, '/websites', { apiKey, body })) as Website;
    websites.push({ id, domain, trackingCode });
  }
  return { apiKey, websites };
}

/** Again while the statistics are still being made, ten minutes at most. */
async function askPatiently({ url }: Service, path: string, apiKey: string): Promise<void> {
  const endMs = performance.now() + CATCH_UP_MS_MAX;
  for (;;) {
    const { ok, status } = await fetch(`${url}/api/v1${path}`, { headers: { 'X-API-Key': apiKey } });
    if (ok) return;
    if (status !== 503 || performance.now() > endMs) throw new Error(`${path}: ${status}`);
    await Bun.sleep(250);
  }
}

type Batch = { body: string; isBot: boolean };

/** Bots travel apart, because it is the User-Agent of a request that tells them. */
function* makeBatches(events: number, endMs: number, websites: Loaded['websites']): Generator<Batch> {
  const waiting = { people: [] as TrafficEvent[], bots: [] as TrafficEvent[] };
  for (const event of generateTraffic({ seed: 1, websites: FIVE_WEBSITES, days: DAYS, events, endMs })) {
    const name = event.isBot ? 'bots' : 'people';
    waiting[name].push(event);
    if (waiting[name].length < BATCH) continue;
    yield toBatch(waiting[name], event.isBot);
    waiting[name] = [];
  }
  if (waiting.people.length > 0) yield toBatch(waiting.people, false);
  if (waiting.bots.length > 0) yield toBatch(waiting.bots, true);

  function toBatch(batch: readonly TrafficEvent[], isBot: boolean): Batch {
    const inputs = batch.map((event) => toEventInput(event, websites[event.website]?.trackingCode ?? ''));
    return { body: JSON.stringify({ events: inputs }), isBot };
  }
}

/** Again when the service says so: the ids of the events make that harmless. */
async function send({ url }: Service, { body, isBot }: Batch): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}/api/v1/events/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': isBot ? BOT_AGENT : BROWSER_AGENT },
      body,
    });
    const answer = await response.text();
    if (response.status === 201) return;
    const refusal = `A batch was refused: ${response.status} ${answer}`;
    if (response.status !== 503 || attempt === ATTEMPTS_MAX) throw new Error(refusal);
    await Bun.sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}
