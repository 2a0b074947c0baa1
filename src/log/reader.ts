import type { Db } from '../db/open.ts';
import { threadUrl } from '../threads.ts';
import { type EventList, type ListRequest, listEvents } from './store.ts';

/** Lists events. On a file the work is done in a thread of its own, so that a long scan never stalls ingest. */
export type EventReader = {
  list(request: ListRequest): Promise<EventList>;
  close(): Promise<void>;
};

/** Reads on the caller's own connection: for databases that live in memory or on a server. */
export function createInlineReader(db: Db): EventReader {
  return { list: (request) => listEvents(db, request), close: () => Promise.resolve() };
}

export type ReadCall = { id: number; request: ListRequest | 'close' };
export type ReadAnswer = {
  id: number;
  list?: EventList;
  error?: { message: string; code: string | undefined };
};

type Caller = { resolve: (list: EventList | undefined) => void; reject: (error: unknown) => void };

/** Starts the thread with the first read, so that a service that only collects does not pay for it. */
export function createWorkerReader(path: string): EventReader {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, Caller>();

  return {
    async list(request) {
      const list = await call(request);
      if (!list) throw new Error('The event reader answered without a list.');
      return list;
    },
    // Asked to close, never terminated: a worker that is inside libSQL would take the process with it.
    async close() {
      if (worker) await call('close');
      worker = undefined;
    },
  };

  function call(request: ReadCall['request']): Promise<EventList | undefined> {
    worker ??= start();
    const thread = worker;
    lastId += 1;
    const message: ReadCall = { id: lastId, request };
    return new Promise((resolve, reject) => {
      waiting.set(message.id, { resolve, reject });
      thread.postMessage(message);
    });
  }

  function start(): Worker {
    const started = new Worker(threadUrl('log/read-worker.ts'), {
      env: { ...process.env, PAGEMETER_READ_PATH: path },
    });
    started.onmessage = ({ data }: MessageEvent<ReadAnswer>) => {
      const caller = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error) caller?.reject(Object.assign(new Error(data.error.message), { code: data.error.code }));
      else caller?.resolve(data.list);
    };
    started.onerror = (event) => {
      worker = undefined;
      for (const { reject } of waiting.values())
        reject(new Error(`The event reader stopped: ${event.message}`));
      waiting.clear();
    };
    // Bun has unref on workers; the DOM type does not know it.
    (started as Worker & { unref(): void }).unref();
    return started;
  }
}
