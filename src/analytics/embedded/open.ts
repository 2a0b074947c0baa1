import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalDatabase } from '../../db/local-database.ts';
import { followLocal } from '../../log/follower.ts';
import type { DatabaseTarget } from '../../settings/database.ts';
import { CATCHING_UP } from '../../vocabulary/analytics.ts';
import type { Analytics } from '../analytics.ts';
import { METHODS } from '../analytics.ts';
import { forward } from '../methods.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { createWorkerAnalytics } from './worker-client.ts';
import { hasVacuums, isOutdated, removalsFollowed } from './write/state.ts';

const CACHE_BYTES_MAX_DEFAULT = 88 * 1024 * 1024;

type Options = {
  target: DatabaseTarget;
  /** Connection of this process; undefined for a remote database. */
  local: LocalDatabase | undefined;
  /** Folder of a remote database's statistics file; see statisticsPath. */
  dataDir: string;
  cacheBytesMax?: number;
  onError: (error: unknown) => void;
};

/**
 * Returns the path of the file in which a process keeps the statistics of a remote database. It may be deleted at any time.
 */
export function statisticsPath(dataDir: string): string {
  return join(dataDir, 'statistics.db');
}

/** Opens the engine of a database: on the caller's connection for a database in memory, otherwise in a thread. */
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
    if (local) startWhatIsDue(local, analytics).catch((error) => isCatchingUp(error) || onError(error));
    return analytics;
  }
  if (target.kind === 'memory') throw new Error('A database in memory has a connection.');
  const path = statisticsPath(dataDir);
  const analytics = createWorkerAnalytics({ path, server: target, cacheBytesMax, onError });
  // Wakes without waiting for a question: a visitor who was erased during downtime must be removed from the file.
  if (existsSync(path)) analytics.wake();
  return analytics;
}

/** A long log takes longer than a question waits; the thread reads on. */
function isCatchingUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === CATCHING_UP;
}

/**
 * Starts the engine without waiting for a question: at once for an unfinished erasure and for segments that an earlier
 * version derived, after a while for removals.
 */
async function startWhatIsDue(local: LocalDatabase, analytics: Analytics): Promise<void> {
  const end = Number.MAX_SAFE_INTEGER;
  const log = await followLocal(local).read({ eventKey: end, removalKey: end });
  if (log.firstErasure !== undefined || isOutdated(local)) await analytics.catchUp();
  else if (log.newestRemovalKey > removalsFollowed(local) || hasVacuums(local)) analytics.wake();
}

/**
 * Creates the engine in the caller's thread. Loaded with the first question: a service on a file runs the engine in a
 * thread, and starts without this code.
 */
function createOwnEngine(options: EngineOptions): Analytics {
  let engine: Promise<Engine> | undefined;
  const open = () => (engine ??= import('./engine.ts').then(({ createEngine }) => createEngine(options)));
  const methods = forward(METHODS, async (method, request) =>
    ((await open())[method] as (request: unknown) => Promise<unknown>)(request),
  );
  return { ...methods, wake: () => {}, close: async () => (await engine)?.close() };
}
