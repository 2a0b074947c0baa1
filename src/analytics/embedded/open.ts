import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalDatabase } from '../../db/local-database.ts';
import { followLocal } from '../../log/follower.ts';
import type { DatabaseTarget } from '../../settings/config.ts';
import type { Analytics } from '../analytics.ts';
import { forward, METHODS } from '../methods.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { createWorkerAnalytics } from './worker-client.ts';
import { hasVacuums, removalsFollowed } from './write/state.ts';

const CACHE_BYTES_MAX_DEFAULT = 88 * 1024 * 1024;

type Options = {
  target: DatabaseTarget;
  /** The process's own connection; undefined for a remote database. */
  local: LocalDatabase | undefined;
  /** Where the statistics of a remote database are kept; see statisticsPath. */
  dataDir: string;
  cacheBytesMax?: number;
  onError: (error: unknown) => void;
};

/** The file in which a process keeps the statistics of a remote database: its own, to be thrown away at will. */
export function statisticsPath(dataDir: string): string {
  return join(dataDir, 'statistics.db');
}

/** The engine for a database: on the caller's connection for one in memory, else in a thread. */
export function openAnalytics({
  target,
  local,
  dataDir,
  cacheBytesMax = CACHE_BYTES_MAX_DEFAULT,
  onError,
}: Options): Analytics {
  if (local && target.kind !== 'file') return createOwnEngine({ database: local, cacheBytesMax, onError });
  if (target.kind === 'file') {
    const analytics = createWorkerAnalytics({ path: target.path, cacheBytesMax, onError });
    if (local) startWhatIsDue(local, analytics).catch(onError);
    return analytics;
  }
  if (target.kind === 'memory') throw new Error('A database in memory has a connection.');
  const path = statisticsPath(dataDir);
  const analytics = createWorkerAnalytics({ path, server: target, cacheBytesMax, onError });
  // Nobody may ask for long, and a visitor who was erased meanwhile has to go from the file.
  if (existsSync(path)) analytics.wake();
  return analytics;
}

/** Nobody may ask for long: what was removed from the log has to go from the segments as well, and an erasure goes on at once. */
async function startWhatIsDue(local: LocalDatabase, analytics: Analytics): Promise<void> {
  const end = Number.MAX_SAFE_INTEGER;
  const log = await followLocal(local).read({ eventKey: end, removalKey: end });
  if (log.firstErasure !== undefined) await analytics.catchUp();
  else if (log.newestRemovalKey > removalsFollowed(local) || hasVacuums(local)) analytics.wake();
}

/** In the caller's thread. Read with the first question: a service on a file has the engine in a thread, and starts without it. */
function createOwnEngine(options: EngineOptions): Analytics {
  let engine: Promise<Engine> | undefined;
  const open = () => (engine ??= import('./engine.ts').then(({ createEngine }) => createEngine(options)));
  const methods = forward(METHODS, async (method, request) =>
    ((await open())[method] as (request: unknown) => Promise<unknown>)(request),
  );
  return { ...methods, wake: () => {}, close: async () => (await engine)?.close() };
}
