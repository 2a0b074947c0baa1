import { buildTrackerScript } from '../../src/assets/tracker-script.ts';
import type { TrackerEvent } from '../../tracker/index.d.ts';
import { freePort } from './free-port.ts';

export type Collected = {
  path: string;
  contentType: string | null;
  cookie: string | null;
  sizeBytes: number;
  receivedAtMs: number;
  events: TrackerEvent[];
};

/**
 * How to treat a request: answer a status or a response, or `cut` the connection after the request has
 * been read. Events count as stored only when the status says so.
 */
export type Reaction = number | Response | 'cut';

const UNTIL_MAX_MS = 60_000;

const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After' };
const PREFLIGHT = {
  ...CORS,
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '86400',
};

const { body: script } = await buildTrackerScript();

/**
 * A collecting server to be told what to do: it serves the tracker, answers CORS like the real one and notes
 * what it is sent. On a port of its own, thus of another origin than the page.
 */
export function startCollector() {
  const requests: Collected[] = [];
  const stored = new Map<string, TrackerEvent>();
  let preflights = 0;
  let react: (request: Collected, index: number) => Reaction | Promise<Reaction> = () => 201;
  let preflightDelayMs = 0;
  const port = freePort(); // one that it comes back on
  let server: ReturnType<typeof serve> | undefined = serve();

  function serve() {
    return Bun.serve({ hostname: '127.0.0.1', port, fetch: answer });
  }

  async function answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (request.method === 'OPTIONS') {
      preflights++;
      await Bun.sleep(preflightDelayMs);
      return new Response(null, { status: 204, headers: PREFLIGHT });
    }
    if (request.method === 'GET') {
      return new Response(script, {
        headers: {
          ...CORS,
          'Content-Type': 'text/javascript',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        },
      });
    }
    const text = await request.text();
    const { sentAt: _, ...event } = JSON.parse(text);
    const { events = [event] } = event;
    const collected: Collected = {
      path,
      contentType: request.headers.get('Content-Type'),
      cookie: request.headers.get('Cookie'),
      sizeBytes: Buffer.byteLength(text),
      receivedAtMs: performance.now(),
      events,
    };
    const reaction = await react(collected, requests.push(collected) - 1);
    if (reaction === 'cut' || (typeof reaction === 'number' && reaction < 300)) store(events);
    if (reaction === 'cut') {
      // A server has no way to drop one connection: it drops all and starts again.
      await server?.stop(true);
      server = serve();
      return new Response();
    }
    const response =
      typeof reaction === 'number'
        ? Response.json({ success: reaction < 300 }, { status: reaction })
        : reaction;
    for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value);
    return response;
  }

  function store(events: TrackerEvent[]): void {
    for (const event of events) stored.set(event.id, event);
  }

  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    /** Stored events, each once, in the order of their arrival. */
    get events(): TrackerEvent[] {
      return [...stored.values()];
    },
    get sizes(): number[] {
      return requests.map(({ events }) => events.length);
    },
    get preflights(): number {
      return preflights;
    },
    reactWith(next: typeof react | Reaction) {
      react = typeof next === 'function' ? next : () => next;
    },
    delayPreflights(ms: number) {
      preflightDelayMs = ms;
    },
    async goDown() {
      await server?.stop(true);
      server = undefined;
    },
    /** On the same port. */
    comeBack() {
      server = serve();
    },
    /** Waits for what has to arrive. */
    async until(isReached: () => boolean): Promise<void> {
      const endMs = performance.now() + UNTIL_MAX_MS;
      while (!isReached()) {
        if (performance.now() > endMs) {
          throw new Error(
            `it never came; there were ${JSON.stringify(requests.map(({ events }) => events))}`,
          );
        }
        await Bun.sleep(20);
      }
    },
    async stop() {
      await server?.stop(true);
    },
  };
}

export type Collector = ReturnType<typeof startCollector>;
