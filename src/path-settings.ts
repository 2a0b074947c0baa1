import { setting } from './setting.ts';

/**
 * The addresses that pages of other people use, beside those of the contract (`/tracker.js`, `/api/v1/events`), which
 * lists of ad blockers stop on hosts such as `stats.` and `analytics.`. What such lists stop is measured by
 * tests/tracker/blocked.test.ts.
 */
export const PATH_SETTINGS = {
  SCRIPT_PATHS: setting(
    '/m.js',
    'Paths of the script, separated by commas, the one for new tags first. `/tracker.js` is always there.',
    paths,
  ),
  COLLECT_PATHS: setting(
    '/m',
    'Paths that take events, and batches with `/batch` behind, separated by commas, the one for new tags first. `/api/v1/events` is always there.',
    paths,
  ),
} as const;

const PATHS_MAX = 8;
const PATH = /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;
const PATH_LENGTH_MAX = 100;
/** What the service itself has at these addresses. */
const TAKEN =
  /^\/(api|assets|docs|account|websites|public|metrics|openapi\.json|favicon\.svg|robots\.txt|tracker\.js)(\/|$)/;

function paths(value: string): readonly string[] {
  const found = value.split(',').map((entry) => entry.trim());
  if (found.length > PATHS_MAX) throw new Error(`lists ${found.length} paths; ${PATHS_MAX} are the most.`);
  for (const path of found) {
    if (!PATH.test(path) || path.length > PATH_LENGTH_MAX || /\/batch$/.test(path))
      throw new Error(
        `lists "${path.slice(0, PATH_LENGTH_MAX)}", which is not a path such as /m or /a/b.js.`,
      );
    if (TAKEN.test(path)) throw new Error(`lists "${path}", which is taken by the service itself.`);
  }
  if (new Set(found).size < found.length) throw new Error('lists a path twice.');
  return found;
}

export type PathSettings = { scripts: readonly string[]; collect: readonly string[] };

/** A sentence when a path is given to both; undefined when all is well. */
export function findPathFault({ scripts, collect }: PathSettings): string | undefined {
  const both = scripts.find((path) => collect.some((other) => path === other || path === `${other}/batch`));
  return both && `SCRIPT_PATHS and COLLECT_PATHS both list ${both}.`;
}
