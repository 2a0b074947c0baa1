import type { Random } from '../../../src/demo/random.ts';
import { ERROR_STATUS } from '../../../src/vocabulary/contract.ts';
import { eventFor } from '../../support/event.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { HOSTILE_TEXTS, HOSTILE_VALUES } from '../stage/hostile.ts';
import { memoryMb } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const CLIENTS = 16;
const HANG_MS_MAX = 1_000;
const GROWTH_MB_MAX = 64;
/** Until the caches are full and the code is compiled, memory grows whatever is asked. */
const WARM_UP_SHARE = 0.2;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'Application/JSON',
  'application/jsonx',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  '',
];

/** Waits for another server's page up to its own deadline, and stores 60,000 events: as long as that takes. */
const WAITS = /\/(check|demo)(\?|$)/;

/** Requests made of the API's own paths, methods and bodies, with something wrong in most of them. */
export async function tryFuzz({ isLong, seed }: BarOptions): Promise<BarResult> {
  const count = isLong ? 100_000 : 2_000;
  const stage = await openStage({ seed });
  const make = await createMaker(stage);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let slowest = { tookMs: 0, name: 'none' };
  let sent = 0;
  let memoryAtStartMb = 0;
  async function work(): Promise<void> {
    while (sent < count) {
      sent += 1;
      if (sent === Math.floor(count * WARM_UP_SHARE)) memoryAtStartMb = memoryMb(stage.pid(), 'VmRSS');
      const request = make();
      const startedMs = performance.now();
      try {
        const response = await fetch(request.url, request.init);
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
        const text = isStream ? '' : await response.text();
        if (isStream) await response.body?.cancel();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const fault = judge(response.status, text, request.init.method);
        if (fault) faults.push(`${request.name}: ${fault}`);
      } catch (error) {
        faults.push(`${request.name}: ${error}`);
      }
      const tookMs = performance.now() - startedMs;
      if (tookMs > slowest.tookMs && !WAITS.test(request.url)) slowest = { tookMs, name: request.name };
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, work));
  const grownMb = memoryMb(stage.pid(), 'VmRSS') - memoryAtStartMb;
  const slowestMs = slowest.tookMs;
  if (isLong && slowestMs > HANG_MS_MAX)
    faults.push(`an answer took ${slowestMs.toFixed(0)} ms: ${slowest.name}`);
  if (isLong && grownMb > GROWTH_MB_MAX) faults.push(`memory grew by ${grownMb.toFixed(0)} MB`);
  const errors = stage.service().errors();
  if (errors.includes('"level":"error"')) faults.push(`the log holds ${errors.slice(0, 500)}`);
  faults.push(...(await auditFile(stage)));
  const kinds = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  return {
    figure: `${count} requests (${kinds.join(', ')}), slowest ${slowestMs.toFixed(0)} ms, memory ${grownMb > 0 ? '+' : ''}${grownMb.toFixed(0)} MB, ${faults.length} faults`,
    faults,
  };
}

type Made = { name: string; url: string; init: RequestInit & { method: string } };

type Operation = { method: string; path: string };

async function createMaker(stage: Stage): Promise<() => Made> {
  const { random, token, website } = stage;
  const document = (await (await fetch(`${stage.url()}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  const { body } = await stage.call('POST', '/auth/api-keys', { token, body: { name: 'fuzz' } });
  const { body: event } = await stage.call('POST', '/events', { body: eventFor(website.trackingCode) });
  const credentials = [token, token, token, body.key, body.key, 'nonsense', undefined];
  const ids = [website.id, event.id, body.apiKey.id, crypto.randomUUID(), ...HOSTILE_TEXTS];
  const bodies = baseBodies(website.trackingCode);

  return () => {
    const { method: ownMethod, path } = pick(random, operations);
    const method = random.chance(0.9) ? ownMethod : pick(random, METHODS);
    // What ends the account or its credentials would end the fuzzing.
    const isHarmful = /\/auth\/(me|logout|logout-all|password|api-keys)/.test(path) && method !== 'GET';
    const isDeletion = method === 'DELETE' && path.includes('/websites/');
    const id = isDeletion ? pick(random, HOSTILE_TEXTS) : pick(random, ids);
    const credential = isHarmful ? pick(random, ['nonsense', undefined]) : pick(random, credentials);
    const address = path.replace(/\{\w+\}/g, () => encodeURIComponent(id.toWellFormed()));
    const headers: Record<string, string> = {};
    if (credential !== undefined) headers.Authorization = `Bearer ${credential}`;
    const contentType = random.chance(0.85) ? 'application/json' : pick(random, CONTENT_TYPES);
    if (contentType !== '') headers['Content-Type'] = contentType;
    const mayHaveBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && method !== 'TRACE';
    const text = mayHaveBody && random.chance(0.95) ? makeBody(random, bodies(path)) : undefined;
    const url = `${stage.url()}${address}${makeQuery(random, website.trackingCode)}`;
    const init = { method, headers, ...(text !== undefined && { body: text }) };
    return { name: `${method} ${url.slice(0, 200)} ${String(text).slice(0, 200)}`, url, init };
  };
}

/** Acceptable bodies for each path. Registrations lack their password: each would cost a hash. */
function baseBodies(trackingCode: string): (path: string) => unknown {
  return (path) => {
    if (path.endsWith('/batch')) return { events: [eventFor(trackingCode), eventFor(trackingCode)] };
    if (path.endsWith('/events'))
      return eventFor(trackingCode, {
        id: crypto.randomUUID(),
        timestamp: Date.now(),
        properties: { a: [1, { b: 2 }] },
      });
    if (path.includes('/auth/')) return { email: 'x@example.com', name: 'x', refreshToken: 'x' };
    if (path.endsWith('/settings'))
      return {
        timezone: 'Europe/Berlin',
        allowedOrigins: [],
        excludedIps: ['10.0.0.0/8'],
        retentionDays: 30,
      };
    if (path.includes('query'))
      return {
        site_id: 'example.com',
        metrics: ['visitors'],
        date_range: '7d',
        dimensions: ['event:page'],
        filters: [['is', 'event:page', ['/']]],
      };
    return { name: 'n', domain: `https://${crypto.randomUUID()}.example`, description: 'd' };
  };
}

const QUERY_NAMES = [
  'limit',
  'offset',
  'cursor',
  'from',
  'to',
  'period',
  'timezone',
  'interval',
  'compare',
  'filters',
  'sort',
  'format',
  'dimension',
  'search',
  'traffic',
  'eventType',
  'url',
  'visitorId',
  'sessionId',
  'page',
  'breakdowns',
  'metrics',
];
const QUERY_VALUES = [
  '1',
  '100',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  'today',
  '7d',
  'all',
  '2020-01-01',
  '2020-01-01T00:00:00Z',
  '8640000000000001',
  'Europe/Berlin',
  'day',
  'minute',
  'csv',
  'ndjson',
  'page',
  'property:a',
  '[["is","page",["/"]]]',
  '[["not",["and",[]]]]',
  '[[[[[[',
  'pageview',
];

function makeQuery(random: Random, trackingCode: string): string {
  const parameters = new URLSearchParams();
  if (random.chance(0.7)) parameters.append('trackingCode', trackingCode);
  while (random.chance(0.5))
    parameters.append(
      pick(random, QUERY_NAMES),
      random.chance(0.7) ? pick(random, QUERY_VALUES) : pick(random, HOSTILE_TEXTS),
    );
  return parameters.size > 0 ? `?${parameters}` : '';
}

function makeBody(random: Random, base: unknown): string | Uint8Array<ArrayBuffer> {
  if (random.chance(0.05)) return Uint8Array.from({ length: random.below(64) }, () => random.below(256));
  let value = base;
  const changes = random.below(4);
  for (let change = 0; change < changes; change += 1) value = mutate(random, value);
  const text = typeof value === 'bigint' ? '1' : JSON.stringify(value);
  if (random.chance(0.9) || text === undefined) return text ?? '';
  const at = random.below(text.length);
  return random.chance(0.5)
    ? text.slice(0, at)
    : text.slice(0, at) + pick(random, HOSTILE_TEXTS) + text.slice(at + 1);
}

/** The value with one thing in it, at any depth, replaced, removed or added. */
function mutate(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return pick(random, HOSTILE_VALUES);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, pick(random, HOSTILE_VALUES)];
    const at = random.below(value.length);
    return value.map((entry, index) => (index === at ? mutate(random, entry) : entry));
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  if (at === entries.length) return { ...value, [pick(random, HOSTILE_TEXTS)]: pick(random, HOSTILE_VALUES) };
  if (random.chance(0.2)) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(
    entries.map(([name, entry], index) => [name, index === at ? mutate(random, entry) : entry]),
  );
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item; // within
}

/** Describes the fault of an answer; undefined without one. */
function judge(status: number, text: string, method: string): string | undefined {
  if (status >= 500) return `${status} ${text}`;
  if (status < 400 || method === 'HEAD' || method === 'TRACE') return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `${status} with the body ${text.slice(0, 200)}`;
  }
  return isErrorBody(status, body) ? undefined : `${status} with the body ${text.slice(0, 200)}`;
}

function isErrorBody(status: number, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { error, message, details, ...others } = body as Record<string, unknown>; // an object was just seen
  if (typeof message !== 'string' || Object.keys(others).length > 0) return false;
  const codes: Record<string, number> = ERROR_STATUS;
  if (typeof error !== 'string' || codes[error] !== status) return false;
  if (error !== 'VALIDATION_ERROR') return true;
  if (typeof details !== 'object' || details === null) return false;
  const { formErrors, fieldErrors } = details as Record<string, unknown>; // as above
  return Array.isArray(formErrors) && typeof fieldErrors === 'object' && fieldErrors !== null;
}

/** The ledger knows nothing of what was sent: what is left is whether the file is whole. */
async function auditFile(stage: Stage): Promise<string[]> {
  const faults = await stage.audit();
  const code = await stage.finish();
  return [...faults, ...code].filter(
    (fault) => !fault.includes('which was not sent') && !fault.includes('stored twice'),
  );
}
