import { COMPATIBLE_PATHS, type CompatibleProduct } from '../vocabulary/compatible.ts';
import { setting } from './setting.ts';

/** Settings of the public address, which the service behind a proxy cannot see. */
export const ADDRESS_SETTINGS = {
  PUBLIC_URL: setting(
    '',
    'Address under which visitors reach the service, such as `https://meter.example.com`; script tags contain it. Default: the address that the dashboard is opened under.',
    publicUrl,
  ),
  BASE_PATH: setting(
    '',
    'Prefix of all paths, such as `/meter`, whether or not the proxy in front removes it. Default: the path of `PUBLIC_URL`.',
    basePath,
  ),
} as const;

/**
 * Settings of the addresses that tracked pages use in addition to those of the contract (`/tracker.js`,
 * `/api/v1/events`), which ad blockers' lists block on hosts such as `stats.` and `analytics.`.
 * tests/tracker/blocked.test.ts measures what such lists block.
 */
export const PATH_SETTINGS = {
  SCRIPT_PATHS: setting(
    '/m.js',
    'Comma-separated paths of the script, the one for new tags first. `/tracker.js` always works.',
    paths,
  ),
  COLLECT_PATHS: setting(
    '/m',
    'Comma-separated paths that accept events (and batches, with `/batch` appended), the one for new tags first. `/api/v1/events` always works.',
    paths,
  ),
  COMPATIBLE: setting(
    '',
    'Comma-separated products whose scripts may keep sending: `umami` (`/api/send`), `plausible` (`/api/event`), `matomo` (`/matomo.php`), for websites that list their old id in their settings. Default: none.',
    products,
  ),
} as const;

const PATHS_MAX = 8;
const PATH = /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;
const PATH_LENGTH_MAX = 100;
/** Paths of the service's own pages and routes. */
const TAKEN =
  /^\/(api|assets|docs|account|websites|public|metrics|openapi\.json|favicon\.(svg|ico)|\.well-known|robots\.txt|tracker\.js)(\/|$)/;

/** Reads PUBLIC_URL. @returns without a trailing slash */
function publicUrl(value: string): string {
  if (value === '') return '';
  const url = URL.parse(value);
  const isHttp = url !== null && /^https?:$/.test(url.protocol);
  const path = value.replace(/^[^/]*\/\/[^/]*/, '').replace(/\/$/, ''); // the raw path: URL would resolve `..`
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

/** Returns the prefix of all paths, and a sentence when the two settings contradict each other. */
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

function products(value: string): readonly CompatibleProduct[] {
  const names = value === '' ? [] : value.split(',').map((name) => name.trim());
  return [...new Set(names)].map((name) => {
    if (!isProduct(name))
      throw new Error(`must list some of ${Object.keys(COMPATIBLE_PATHS).join(', ')}, not "${name}".`);
    return name;
  });
}

function isProduct(name: string): name is CompatibleProduct {
  return Object.hasOwn(COMPATIBLE_PATHS, name);
}

export type PathSettings = { scripts: readonly string[]; collect: readonly string[] };

/** Returns a sentence when both settings list the same path. */
export function findPathFault({ scripts, collect }: PathSettings): string | undefined {
  const both = scripts.find((path) => collect.some((other) => path === other || path === `${other}/batch`));
  return both && `SCRIPT_PATHS and COLLECT_PATHS both list ${both}.`;
}
