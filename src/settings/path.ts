import { setting } from './setting.ts';

/** Where the service is found: what it does not see itself, behind proxies. */
export const ADDRESS_SETTINGS = {
  PUBLIC_URL: setting(
    '',
    'Address under which visitors reach the service, such as `https://meter.example.com`; it stands in the tags. Default: the one that the dashboard is opened under.',
    publicUrl,
  ),
  BASE_PATH: setting(
    '',
    'Path before all others, such as `/meter`, whether the proxy in front takes it away or not. Default: that of `PUBLIC_URL`.',
    basePath,
  ),
} as const;

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

/** Without a slash at its end. */
function publicUrl(value: string): string {
  if (value === '') return '';
  const url = URL.parse(value);
  const isHttp = url !== null && /^https?:$/.test(url.protocol);
  const path = value.replace(/^[^/]*\/\/[^/]*/, '').replace(/\/$/, ''); // as it is written: `..` is not taken away
  if (!isHttp || url.username !== '' || !isBasePath(path))
    throw new Error(`must be an address such as https://meter.example.com, not "${value}".`);
  return `${url.origin}${path}`;
}

function basePath(value: string): string {
  const path = value.replace(/\/$/, '');
  if (!isBasePath(path)) throw new Error(`must be a path such as /meter, not "${value}".`);
  return path;
}

function isBasePath(path: string): boolean {
  return path === '' || (PATH.test(path) && path.length <= PATH_LENGTH_MAX);
}

/** The path before all others, and a sentence when both settings name one and they differ. */
export function toBasePath(publicUrl: string, basePath: string): { path: string; fault?: string } {
  const path = publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  if (publicUrl === '' || basePath === '' || path === basePath) return { path: basePath || path };
  return {
    path: basePath,
    fault: `PUBLIC_URL is ${publicUrl}, which does not end with BASE_PATH ${basePath}.`,
  };
}

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
