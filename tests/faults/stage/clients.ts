import type { Random } from '../../../src/demo/random.ts';
import { EVENT_TYPES } from '../../../src/vocabulary/contract.ts';
import type { Ledger, SentEvent } from './ledger.ts';

const BATCH_MAX = 20;
const SINGLE_SHARE = 0.6;
const REFUSED_PAUSE_MS = 20;

/** A client that keeps a request until it is acknowledged, and sends it again with the same ids after a failure. */
export type Client = {
  /** Sends until the service dies or, when `isDone`, until nothing is left that was not acknowledged. */
  run(url: string, isDone: () => boolean): Promise<void>;
  pending(): readonly SentEvent[];
};

export type ClientOptions = {
  trackingCode: string;
  ledger: Ledger;
  random: Random;
  /** Between two requests. */
  pauseMs?: number;
  /** Called with every answer; undefined for a broken connection. */
  observe?: (answer: Answered | undefined) => void;
};

export type Answered = { status: number; retryAfter: string | null; atMs: number; tookMs: number };

export function createClient({
  trackingCode,
  ledger,
  random,
  pauseMs = 0,
  observe = () => {},
}: ClientOptions): Client {
  const visitorId = crypto.randomUUID();
  let pending: SentEvent[] = [];

  return { run, pending: () => pending };

  async function run(url: string, isDone: () => boolean): Promise<void> {
    while (pending.length > 0 || !isDone()) {
      if (pending.length === 0) pending = createRequest();
      const answer = await send(url).catch(() => undefined);
      observe(answer);
      if (answer === undefined) return; // the connection broke: the service is gone
      if (answer.status === 201) {
        ledger.acknowledge(pending);
        pending = [];
        if (pauseMs > 0) await Bun.sleep(pauseMs);
      } else if (answer.status === 503) await Bun.sleep(REFUSED_PAUSE_MS);
      else throw new Error(`The service answered ${answer.status} to a valid event.`);
    }
  }

  function createRequest(): SentEvent[] {
    const size = random.chance(SINGLE_SHARE) ? 1 : 2 + random.below(BATCH_MAX - 1);
    return Array.from({ length: size }, () => ledger.create());
  }

  async function send(url: string): Promise<Answered> {
    const isSingle = pending.length === 1;
    const events = pending.map((event, index) => toInput(event, index));
    const atMs = performance.now();
    const response = await fetch(`${url}/api/v1/events${isSingle ? '' : '/batch'}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(isSingle ? events[0] : { events }),
    });
    await response.arrayBuffer(); // an answer counts when it has arrived whole
    const { status, headers } = response;
    return { status, retryAfter: headers.get('retry-after'), atMs, tookMs: performance.now() - atMs };
  }

  function toInput({ id, url }: SentEvent, index: number) {
    const eventType = EVENT_TYPES[index % EVENT_TYPES.length];
    return { id, trackingCode, eventType, url, sessionId: visitorId, visitorId };
  }
}

export async function runAll(clients: readonly Client[], url: string, isDone: () => boolean): Promise<void> {
  await Promise.all(clients.map((client) => client.run(url, isDone)));
}
