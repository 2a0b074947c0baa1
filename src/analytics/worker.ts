import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isDatabaseRefusal, sqliteExtendedCode } from '../db/busy.ts';
import { type LocalDatabase, openLocalDatabase } from '../db/local-database.ts';
import { openRemoteClient } from '../db/remote-client.ts';
import { createEngine, type Engine } from './engine.ts';
import { CATCHING_UP } from './vocabulary.ts';
import type { WorkerAnswer, WorkerCall } from './worker-client.ts';

/** The thread behind createWorkerAnalytics: the engine with a connection of its own. */
declare const self: Worker;

/** Stands for what @libsql/client throws when the server cannot be reached: a class that does not survive the way. */
const UNREACHABLE_CODE = 'SERVER_ERROR';

/** So that events that nobody asks about do not pile up. A question catches up at once. */
const FOLLOW_MS = 10_000;

/** Behind ingest, where both want the same processor; with nobody else there it changes nothing. */
const NICE = 2;
try {
  // Linux alone gives each thread a priority of its own, and a number to name it by.
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
} catch {
  // It works without.
}

let isClosing = false;
let engine: Promise<Engine> | undefined;
let database: LocalDatabase | undefined;

/** One that could not be opened is tried again with the next call. */
function open(): Promise<Engine> {
  engine ??= openEngine().catch((error) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

/** Loaded only when it is needed: it brings Drizzle along, which makes the tables. */
async function openStatistics(path: string): Promise<LocalDatabase> {
  const statistics = await import('./statistics-file.ts');
  return statistics.openStatistics(path);
}

async function openEngine(): Promise<Engine> {
  const path = process.env.PAGEMETER_ANALYTICS_PATH ?? '';
  const url = process.env.PAGEMETER_LOG_URL;
  const server = url
    ? await openRemoteClient({ url, authToken: process.env.PAGEMETER_LOG_TOKEN || undefined })
    : undefined;
  // What is derived can be derived again, so its commits need not wait for the disk: `normal`. Erasures wait.
  database = server ? await openStatistics(path) : openLocalDatabase(path, 'normal');
  database.exec('PRAGMA cache_size = -4096'); // segments are read once and kept unpacked; 4 MiB hold the inner pages
  return createEngine({
    database,
    server,
    cacheBytesMax: Number(process.env.PAGEMETER_ANALYTICS_CACHE_BYTES),
    onError: tell,
  });
}

function tell(error: unknown): void {
  if (!isClosing) self.postMessage({ id: 0, error: toError(error) } satisfies WorkerAnswer);
}

let isFollowing = false;
async function follow(): Promise<void> {
  if (isFollowing) return;
  isFollowing = true;
  try {
    const opened = await open();
    // Questions come in between.
    for (let isDone = false; !isDone && !isClosing; ) isDone = await opened.follow();
  } catch (error) {
    tell(error);
  } finally {
    isFollowing = false;
  }
}

const timer = setInterval(follow, FOLLOW_MS);
if (process.env.PAGEMETER_LOG_URL) void follow(); // there may be much to read

self.onmessage = async ({ data: { id, method, request } }: MessageEvent<WorkerCall>) => {
  let answer: WorkerAnswer;
  try {
    if (method === 'close') {
      isClosing = true;
      clearInterval(timer);
    }
    // Each method takes the request that its caller's type demanded.
    const call = (await open())[method] as (request: unknown) => Promise<unknown>;
    answer = { id, value: await call(request) };
  } catch (error) {
    answer = { id, error: toError(error) };
  }
  if (method === 'close') database?.close();
  self.postMessage(answer);
  if (method === 'close') process.exit(); // ends this thread
};

function toError(error: unknown): { message: string; code: string | undefined } {
  const own =
    error instanceof Error && 'code' in error && error.code === CATCHING_UP ? CATCHING_UP : undefined;
  const code = own ?? sqliteExtendedCode(error) ?? (isDatabaseRefusal(error) ? UNREACHABLE_CODE : undefined);
  return { message: String(error), code };
}
