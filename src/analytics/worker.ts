import { sqliteExtendedCode } from '../db/busy.ts';
import { openLocalDatabase } from '../db/local-database.ts';
import { createEngine } from './engine.ts';
import type { WorkerAnswer, WorkerCall } from './worker-client.ts';

/** The thread behind createWorkerAnalytics: the engine with a connection of its own. */
declare const self: Worker;

/** So that events that nobody asks about do not pile up. A question catches up at once. */
const FOLLOW_MS = 10_000;

// What is derived can be derived again, so its commits need not wait for the disk: `normal`.
const database = openLocalDatabase(process.env.PAGEMETER_ANALYTICS_PATH ?? '', 'normal');
database.exec('PRAGMA cache_size = -4096'); // blocks are read once and kept unpacked; 4 MiB hold the inner pages
const engine = createEngine({
  database,
  cacheBytesMax: Number(process.env.PAGEMETER_ANALYTICS_CACHE_BYTES),
  onError: (error) => self.postMessage({ id: 0, error: toError(error) } satisfies WorkerAnswer),
});
let isClosing = false;
const timer = setInterval(() => {
  engine.follow().catch((error: unknown) => {
    if (!isClosing) self.postMessage({ id: 0, error: toError(error) } satisfies WorkerAnswer);
  });
}, FOLLOW_MS);

self.onmessage = async ({ data: { id, method, request } }: MessageEvent<WorkerCall>) => {
  let answer: WorkerAnswer;
  try {
    // Each method takes the request that its caller's type demanded.
    const call = engine[method] as (request: unknown) => Promise<unknown>;
    if (method === 'close') {
      isClosing = true;
      clearInterval(timer);
    }
    answer = { id, value: await call(request) };
  } catch (error) {
    answer = { id, error: toError(error) };
  }
  if (method === 'close') database.close();
  self.postMessage(answer);
  if (method === 'close') process.exit(); // ends this thread
};

function toError(error: unknown): { message: string; code: string | undefined } {
  return { message: String(error), code: sqliteExtendedCode(error) };
}
