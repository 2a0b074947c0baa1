import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isDatabaseRefusal, sqliteExtendedCode } from '../../db/busy.ts';
import { type LocalDatabase, openLocalDatabase } from '../../db/local-database.ts';
import { openRemoteClient } from '../../db/remote-client.ts';
import type { ThreadAnswer, ThreadCall, ThreadSetup } from '../../process/threads.ts';
import { CATCHING_UP } from '../../vocabulary/analytics.ts';
import { AppError } from '../../vocabulary/errors.ts';
import { createEngine, type Engine } from './engine.ts';
import type { EngineCall, EngineFault, EngineSetup } from './worker-client.ts';

/** The thread behind createWorkerAnalytics: the engine with a connection of its own. */
declare const self: Worker;

type Call = ThreadCall<EngineCall>;
type Answer = ThreadAnswer<EngineFault>;

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

self.onmessage = ({ data: { setup } }: MessageEvent<ThreadSetup<EngineSetup>>) => serve(setup);

/** Answers calls until it is asked to close, and follows the log in between. */
function serve(setup: EngineSetup): void {
  let isClosing = false;
  let isFollowing = false;
  let opening: Promise<Opened> | undefined;

  /** One that could not be opened is tried again with the next call. */
  function open(): Promise<Opened> {
    opening ??= openEngine(setup, tell).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  function tell(error: unknown): void {
    if (!isClosing) self.postMessage({ id: 0, error: toError(error) } satisfies Answer);
  }

  async function follow(): Promise<void> {
    if (isFollowing) return;
    isFollowing = true;
    try {
      const { engine } = await open();
      // Questions come in between.
      for (let isDone = false; !isDone && !isClosing; ) isDone = await engine.follow();
    } catch (error) {
      tell(error);
    } finally {
      isFollowing = false;
    }
  }

  async function answer({ id, request: { method, request } }: Call): Promise<Answer> {
    try {
      // Each method takes the request that its caller's type demanded.
      const call = (await open()).engine[method] as (request: unknown) => Promise<unknown>;
      return { id, value: await call(request) };
    } catch (error) {
      return { id, error: toError(error) };
    }
  }

  const timer = setInterval(follow, FOLLOW_MS);
  if (setup.server) void follow(); // there may be much to read

  self.onmessage = async ({ data }: MessageEvent<Call>) => {
    if (data.request.method !== 'close') return self.postMessage(await answer(data));
    isClosing = true;
    clearInterval(timer);
    const closed = await answer(data);
    (await opening)?.database.close();
    self.postMessage(closed);
    process.exit(); // ends this thread
  };
}

type Opened = { engine: Engine; database: LocalDatabase };

async function openEngine(
  { path, server: target, cacheBytesMax }: EngineSetup,
  onError: (error: unknown) => void,
): Promise<Opened> {
  const server = target && (await openRemoteClient(target));
  // What is derived can be derived again, so its commits need not wait for the disk: `normal`. Erasures wait.
  const database = server ? await openStatistics(path) : openLocalDatabase(path, 'normal');
  database.exec('PRAGMA cache_size = -4096'); // segments are read once and kept unpacked; 4 MiB hold the inner pages
  return { engine: createEngine({ database, server, cacheBytesMax, onError }), database };
}

/** Loaded only when it is needed: it brings Drizzle along, which makes the tables. */
async function openStatistics(path: string): Promise<LocalDatabase> {
  const statistics = await import('./statistics-file.ts');
  return statistics.openStatistics(path);
}

function toError(error: unknown): EngineFault {
  if (error instanceof AppError) return { message: error.message, code: error.code, details: error.details };
  const own =
    error instanceof Error && 'code' in error && error.code === CATCHING_UP ? CATCHING_UP : undefined;
  const code = own ?? sqliteExtendedCode(error) ?? (isDatabaseRefusal(error) ? UNREACHABLE_CODE : undefined);
  return { message: String(error), code };
}
