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

/** The thread behind createWorkerAnalytics: the engine with its own connection. */
declare const self: Worker;

type Call = ThreadCall<EngineCall>;
type Answer = ThreadAnswer<EngineFault>;

/**
 * Code that replaces the error class of @libsql/client for an unreachable server: classes do not survive messages between
 * threads.
 */
const UNREACHABLE_CODE = 'SERVER_ERROR';

/** Interval of reading the log, so that events do not pile up without questions. Questions catch up at once. */
const FOLLOW_MS = 10_000;

/** Lower priority than ingest when both compete for one processor; without competition it has no effect. */
const NICE = 2;
try {
  // Only Linux has a priority per thread, and a thread number to set it by.
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
} catch {
  // Works without a lower priority.
}

self.onmessage = ({ data: { setup } }: MessageEvent<ThreadSetup<EngineSetup>>) => serve(setup);

/** Answers calls until it is asked to close, and follows the log between them. */
function serve(setup: EngineSetup): void {
  let isClosing = false;
  let isFollowing = false;
  let opening: Promise<Opened> | undefined;

  /** Opens the engine. After a failure, the next call tries again. */
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
      // Questions run in between.
      for (let isDone = false; !isDone && !isClosing; ) isDone = await engine.follow();
    } catch (error) {
      tell(error);
    } finally {
      isFollowing = false;
    }
  }

  async function answer({ id, request: { method, request } }: Call): Promise<Answer> {
    try {
      // The type of the caller ensures the right request for each method.
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
  // Derived data can be derived again, so its commits do not wait for the disk (`normal`). Erasures do.
  const database = server ? await openStatistics(path) : openLocalDatabase(path, 'normal');
  database.exec('PRAGMA cache_size = -4096'); // segments are read once and kept unpacked; 4 MiB hold the inner pages
  return { engine: createEngine({ database, server, cacheBytesMax, onError }), database };
}

/** Loaded on demand, because it imports Drizzle to create the tables. */
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
