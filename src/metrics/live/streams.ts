import { setTimeout as sleep } from 'node:timers/promises';
import type { CancelSignal } from '../../process/turns.ts';
import { AppError } from '../../vocabulary/errors.ts';
import { createStreamPlaces, tooManyStreamsError, type Viewer } from './stream-places.ts';

/** Contents of a stream. A snapshot is sent when its `news` differs from the previous one. */
type Snapshot = { text: string; news: string };

export type Watch = {
  /** Streams with the same key share one question. */
  key: string;
  viewer: Viewer;
  /** @param signal aborted when all clients that share the question have disconnected */
  read: (signal: CancelSignal) => Promise<Snapshot>;
  /** Checked before each further snapshot; false ends the stream. */
  mayStay: () => Promise<boolean>;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
};

type Options = {
  streamsMax: number;
  onError: (error: unknown) => void;
  /** Clock that never runs backwards. */
  monotonicMs?: () => number;
  /** Waits, at most until the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** A question that several clients share. */
type Shared = { atMs: number; snapshot: Promise<Snapshot>; watchers: CancelSignal[]; signal: CancelSignal };

export type LiveStreams = {
  /** @throws AppError RATE_LIMITED or SERVICE_UNAVAILABLE when there are too many; errors of the first reading */
  open(watch: Watch): Promise<Response>;
  count(): number;
  /** Ends all streams and refuses new ones: the server cannot stop while a response is being sent. */
  close(): void;
};

const INTERVAL_MS = 2_000;
/** Interval of comments that keep a connection open: proxies close idle ones after a minute, some after 30 s. */
const KEEP_ALIVE_TICKS = 7;
/** Maximum unsent bytes; a client that reads more slowly receives no further snapshots. */
const WAITING_BYTES_MAX = 256 * 1024;
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform', // compression would hold events back
  'X-Accel-Buffering': 'no', // nginx would buffer events
};

/**
 * Sends server-sent events: a snapshot at once, and another when it differs, at most every two seconds. It polls, because
 * repeated questions are cheap and clients of the same stream share one; notifications would add work to ingest.
 */
export function createLiveStreams(options: Options): LiveStreams {
  const { streamsMax, onError, monotonicMs = () => performance.now(), pause = pauseInBackground } = options;
  const stopping = new AbortController();
  const shared = new Map<string, Shared>();
  const places = createStreamPlaces(streamsMax);

  async function open(watch: Watch): Promise<Response> {
    if (stopping.signal.aborted) throw tooManyStreamsError();
    const release = places.take(watch.viewer);
    const leave = () => {
      release();
      if (places.count() === 0) shared.clear();
    };
    try {
      return toResponse(watch, await read(watch), leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  function read({ key, read, signal }: Watch): Promise<Snapshot> {
    const nowMs = monotonicMs();
    const known = shared.get(key);
    const isFresh = known && nowMs - known.atMs < INTERVAL_MS / 2;
    if (isFresh && !known.signal.aborted) {
      known.watchers.push(signal);
      return known.snapshot;
    }
    if (shared.size > streamsMax) shared.clear();
    const watchers = [signal];
    const all = {
      get aborted() {
        return watchers.every(({ aborted }) => aborted);
      },
    };
    const snapshot = read(all);
    shared.set(key, { atMs: nowMs, snapshot, watchers, signal: all });
    return snapshot;
  }

  function toResponse(watch: Watch, first: Snapshot, leave: () => void): Response {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, watch.signal, stopping.signal]);
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const send = (text: string) => {
            if ((controller.desiredSize ?? 0) <= 0) gone.abort();
            else controller.enqueue(encoder.encode(text));
          };
          void follow(watch, first, signal, send)
            .catch((error) => {
              if (!(error instanceof AppError)) onError(error);
            })
            .finally(() => {
              leave();
              close(controller);
            });
        },
        cancel: () => gone.abort(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES_MAX }),
    );
    return new Response(body, { headers: HEADERS });
  }

  async function follow(
    watch: Watch,
    first: Snapshot,
    signal: AbortSignal,
    send: (text: string) => void,
  ): Promise<void> {
    send(`retry: ${INTERVAL_MS}\n${toEvent(first)}`);
    let { news } = first;
    for (let quietTicks = 0; ; ) {
      await pause(INTERVAL_MS, signal);
      if (signal.aborted) return;
      if (!(await watch.mayStay())) return send('event: end\ndata: {}\n\n');
      const snapshot = await read(watch);
      if (signal.aborted) return;
      quietTicks = snapshot.news === news ? quietTicks + 1 : 0;
      if (snapshot.news !== news) send(toEvent(snapshot));
      else if (quietTicks % KEEP_ALIVE_TICKS === 0) send(': still here\n\n');
      news = snapshot.news;
    }
  }

  return { open, count: places.count, close: () => stopping.abort() };
}

function toEvent({ text }: Snapshot): string {
  return `event: snapshot\ndata: ${text}\n\n`;
}

function close(controller: ReadableStreamDefaultController): void {
  try {
    controller.close();
  } catch {
    // The client has cancelled the stream.
  }
}

/** Waits without keeping the process alive. */
function pauseInBackground(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleep(ms, undefined, { ref: false, signal }).catch(() => {}); // it rejects only for the signal
}
