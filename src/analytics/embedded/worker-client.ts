import type { RemoteTarget } from '../../db/remote-client.ts';
import { createThread, type ThreadFault } from '../../process/threads.ts';
import { CATCHING_UP } from '../../vocabulary/analytics.ts';
import { type FaultDetails, unavailableError, validationError } from '../../vocabulary/errors.ts';
import type { Analytics } from '../analytics.ts';
import { METHODS, type Method } from '../analytics.ts';
import { forward } from '../methods.ts';

/** One call of the engine in its thread. */
export type EngineCall = { method: Method; request: unknown };
/** `details` names what is wrong with the question. */
export type EngineFault = ThreadFault & { details?: FaultDetails | undefined };

export type EngineSetup = {
  /** File of the segments, and of the log unless a server holds it. */
  path: string;
  server: RemoteTarget | undefined;
  cacheBytesMax: number;
};

type Options = Omit<EngineSetup, 'server'> & {
  server?: RemoteTarget;
  onError: (error: unknown) => void;
};

const START_AFTER_MS = 30_000;

/** Runs the engine in a thread with its own connection to the database, so that a scan never delays ingest. */
export function createWorkerAnalytics({ path, server, cacheBytesMax, onError }: Options): Analytics {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  // What was derived is on disk, so a new thread continues where the last one stopped.
  const thread = createThread<EngineSetup, EngineCall, EngineFault>({
    path: 'analytics/embedded/worker.ts',
    name: 'The analytics engine',
    smol: true, // segments are megabytes each
    setup: { path, server, cacheBytesMax },
    toError,
    onError,
  });

  async function call(method: Method, request?: unknown): Promise<unknown> {
    if (isClosed) throw new Error('The analytics engine is closed.');
    return thread.call({ method, request });
  }

  /**
   * Starts the thread a while after an event, unless a question starts it sooner: an idle service saves the thread's
   * memory, and a burst of events need not share the processor with the engine.
   */
  function wake(): void {
    if (isClosed || thread.isRunning || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!isClosed) thread.start();
    }, START_AFTER_MS);
    timer.unref();
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    clearTimeout(timer);
    isClosed = true;
    await thread.end({ method: 'close', request: undefined });
  }

  const remote = forward(METHODS, call);
  const readUntil = async () => (thread.isRunning ? remote.readUntil() : undefined);
  return { ...remote, readUntil, wake, close };
}

const CATCHING_UP_RETRY_S = 5;

function toError({ message, code, details }: EngineFault): Error {
  if (details) return validationError(message, details.fieldErrors, details.formErrors);
  if (code === CATCHING_UP)
    return unavailableError(
      'The statistics are still being made from the events; try again',
      CATCHING_UP_RETRY_S,
    );
  return Object.assign(new Error(message), { code });
}
