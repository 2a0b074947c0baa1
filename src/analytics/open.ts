import type { LocalDatabase } from '../db/local-database.ts';
import { AppError } from '../errors.ts';
import type { Analytics } from './analytics.ts';
import { createEngine } from './engine.ts';
import { createWorkerAnalytics } from './worker-client.ts';

export const CACHE_BYTES_MAX_DEFAULT = 64 * 1024 * 1024;

type Target = { kind: 'file'; path: string } | { kind: 'memory' } | { kind: 'remote' };
type Options = {
  target: Target;
  /** The process's own connection; undefined for a remote database. */
  local: LocalDatabase | undefined;
  cacheBytesMax?: number;
  onError: (error: unknown) => void;
};

/** The engine for a database: in a thread for a file, on the caller's connection for one in memory. */
export function openAnalytics({
  target,
  local,
  cacheBytesMax = CACHE_BYTES_MAX_DEFAULT,
  onError,
}: Options): Analytics {
  if (target.kind === 'file') return createWorkerAnalytics({ path: target.path, cacheBytesMax, onError });
  if (local) return createEngine({ database: local, cacheBytesMax, onError });
  return unavailable();
}

/** Summaries are written for a local file. A remote database collects and lists events, and has no statistics yet. */
function unavailable(): Analytics {
  const refuse = () =>
    Promise.reject(
      new AppError(
        'SERVICE_UNAVAILABLE',
        'Statistics need a local database: they are not available with a remote one.',
      ),
    );
  return {
    query: refuse,
    values: refuse,
    realtime: refuse,
    sessions: refuse,
    session: refuse,
    visitors: refuse,
    visitor: refuse,
    pages: refuse,
    page: refuse,
    customEvents: refuse,
    propertyKeys: refuse,
    propertyValues: refuse,
    headlines: refuse,
    exportVisitor: refuse,
    eraseVisitor: refuse,
    forget: () => Promise.resolve(),
    rebuild: refuse,
    freshness: refuse,
    wake: () => {},
    close: () => Promise.resolve(),
  };
}
