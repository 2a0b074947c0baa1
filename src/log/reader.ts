import type { Db } from '../db/open.ts';
import { createThread } from '../process/threads.ts';
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

export type ReadSetup = { path: string };
export type ReadRequest = ListRequest | 'close';

/** Starts the thread with the first read, so that a service that only collects does not pay for it. */
export function createWorkerReader(path: string): EventReader {
  const thread = createThread<ReadSetup, ReadRequest>({
    path: 'log/read-worker.ts',
    name: 'The event reader',
    setup: { path },
  });
  return {
    list: async (request) => (await thread.call(request)) as EventList, // as the worker's listEvents gives it
    close: () => thread.end('close'),
  };
}
