import type { RemoteTarget } from '../db/remote-client.ts';
import { type FaultDetails, unavailableError, validationError } from '../errors.ts';
import { threadUrl } from '../threads.ts';
import type { Analytics } from './analytics.ts';
import { METHODS, type Method } from './methods.ts';
import { CATCHING_UP } from './vocabulary.ts';

export type WorkerCall = { id: number; method: Method; request: unknown };
/** `id` 0: an error that no call is to blame for. */
export type WorkerAnswer = {
  id: number;
  value?: unknown;
  error?: {
    message: string;
    code: string | undefined;
    /** What is wrong with the question. */
    details?: FaultDetails | undefined;
  };
};

type Caller = { resolve: (value: unknown) => void; reject: (error: unknown) => void };
type Options = {
  /** Of the file that holds what is derived, and the log unless that is on a server. */
  path: string;
  server?: RemoteTarget;
  cacheBytesMax: number;
  onError: (error: unknown) => void;
};

const START_AFTER_MS = 30_000;

/**
 * The engine in a thread with its own connection to the database, so that a scan never holds up ingest. The thread is asked
 * to close, never terminated: one that is inside libSQL would take the process with it.
 */
export function createWorkerAnalytics({ path, server, cacheBytesMax, onError }: Options): Analytics {
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;
  let isClosed = false;
  const waiting = new Map<number, Caller>();

  function start(): Worker {
    const started = new Worker(threadUrl('analytics/worker.ts'), {
      smol: true, // collects garbage sooner: segments are megabytes each
      env: {
        ...process.env,
        PAGEMETER_ANALYTICS_PATH: path,
        PAGEMETER_ANALYTICS_CACHE_BYTES: String(cacheBytesMax),
        PAGEMETER_LOG_URL: server?.url ?? '',
        PAGEMETER_LOG_TOKEN: server?.authToken ?? '',
      },
    });
    started.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      const error = data.error && toError(data.error);
      if (data.id === 0) return onError(error);
      const caller = waiting.get(data.id);
      waiting.delete(data.id);
      if (error) caller?.reject(error);
      else caller?.resolve(data.value);
    };
    // What was derived is on disk, so a new thread goes on where this one was.
    started.onerror = (event) => {
      worker = undefined;
      const error = new Error(`The analytics engine stopped: ${event.message}`);
      onError(error);
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    // Bun has unref on workers; the DOM type does not know it.
    (started as Worker & { unref(): void }).unref();
    return started;
  }

  function call(method: Method, request?: unknown): Promise<unknown> {
    if (isClosed) return Promise.reject(new Error('The analytics engine is closed.'));
    worker ??= start();
    const thread = worker;
    lastId += 1;
    const message: WorkerCall = { id: lastId, method, request };
    return new Promise((resolve, reject) => {
      waiting.set(message.id, { resolve, reject });
      thread.postMessage(message);
    });
  }

  /**
   * A service at rest does without the thread's memory, and a burst of events should not share the processor with
   * those who derive figures from it: unless a question starts the thread at once, it starts a while after an event.
   */
  function wake(): void {
    if (isClosed || worker || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!isClosed) worker ??= start();
    }, START_AFTER_MS);
    timer.unref();
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    clearTimeout(timer);
    const closing = worker && call('close');
    isClosed = true;
    await closing;
  }

  // The other side answers each method with what its type promises.
  const remote = Object.fromEntries(
    METHODS.map((method) => [method, (request: unknown) => call(method, request)]),
  ) as unknown as Pick<Analytics, Method>;
  return { ...remote, wake, close };
}

const CATCHING_UP_RETRY_S = 5;

function toError({ message, code, details }: NonNullable<WorkerAnswer['error']>): Error {
  if (details) return validationError(message, details.fieldErrors, details.formErrors);
  if (code === CATCHING_UP)
    return unavailableError(
      'The statistics are still being made from the events; try again',
      CATCHING_UP_RETRY_S,
    );
  return Object.assign(new Error(message), { code });
}
