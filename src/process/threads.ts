/** The folder that paths of threads are relative to: src, or the one folder of an executable, which holds this file too. */
const PROGRAM_FOLDER = Bun.isStandaloneExecutable ? import.meta.url : new URL('../', import.meta.url);

/** Returns the address of a thread's program. @param path relative to src */
export function threadUrl(path: string): string {
  return new URL(path, PROGRAM_FOLDER).href;
}

/** First message to a thread: what its program needs to begin. */
export type ThreadSetup<Setup> = { setup: Setup };
/** Any other message to a thread, which answers under the same id. Id 0: an error that no call is to blame for. */
export type ThreadCall<Request> = { id: number; request: Request };
export type ThreadAnswer<Fault = ThreadFault> = { id: number; value?: unknown; error?: Fault };
/** An error on its way from a thread: its class does not survive that. */
export type ThreadFault = { message: string; code: string | undefined };

type Thread<Request> = {
  readonly isRunning: boolean;
  start(): void;
  /** Starts the thread when it does not run. @throws what the thread answers, or that it has stopped */
  call(request: Request): Promise<unknown>;
  /** Asks it to end, if it runs. One that is terminated inside libSQL would take the process with it. */
  end(request: Request): Promise<void>;
};

type Options<Setup, Fault> = {
  /** The thread's program, relative to src. */
  path: string;
  /** `The event reader` */
  name: string;
  setup: Setup;
  /** Collects garbage sooner. */
  smol?: boolean;
  toError?: (fault: Fault) => Error;
  /** Called with errors outside of calls, and when the thread has stopped. */
  onError?: (error: unknown) => void;
};

/** Calls into a thread. The next call restarts a thread that has stopped. */
export function createThread<Setup, Request, Fault extends ThreadFault = ThreadFault>({
  path,
  name,
  setup,
  smol = false,
  toError = ({ message, code }) => Object.assign(new Error(message), { code }),
  onError = () => {},
}: Options<Setup, Fault>): Thread<Request> {
  let running: Running | undefined;
  let lastId = 0;

  function start(): Running {
    const worker = new Worker(threadUrl(path), { smol });
    worker.postMessage({ setup } satisfies ThreadSetup<Setup>);
    const waiting: Running['waiting'] = new Map();
    const started = { worker, waiting };

    function hasStopped(error: Error): void {
      if (running === started) running = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    }

    worker.onmessage = ({ data: { id, value, error } }: MessageEvent<ThreadAnswer<Fault>>) => {
      if (id === 0) return onError(error && toError(error));
      const caller = waiting.get(id);
      waiting.delete(id);
      if (error) caller?.reject(toError(error));
      else caller?.resolve(value);
    };
    worker.onerror = ({ message }) => {
      const error = new Error(`${name} stopped: ${message}`);
      onError(error);
      hasStopped(error);
    };
    worker.addEventListener('close', () => hasStopped(new Error(`${name} stopped.`))); // also when it exits on its own
    // Bun has unref on workers; the DOM type does not know it.
    (worker as Worker & { unref(): void }).unref();
    return started;
  }

  function send({ worker, waiting }: Running, request: Request): Promise<unknown> {
    lastId += 1;
    const caller = Promise.withResolvers<unknown>();
    waiting.set(lastId, caller);
    worker.postMessage({ id: lastId, request } satisfies ThreadCall<Request>);
    return caller.promise;
  }

  return {
    get isRunning() {
      return running !== undefined;
    },
    start() {
      running ??= start();
    },
    call(request) {
      running ??= start();
      return send(running, request);
    },
    async end(request) {
      const ended = running;
      running = undefined;
      if (ended) await send(ended, request);
    },
  };
}

type Running = { worker: Worker; waiting: Map<number, PromiseWithResolvers<unknown>> };
