import { posix } from 'node:path';
import { API_PREFIX } from '../vocabulary/contract.ts';

const EVENTS_PATH = `${API_PREFIX}/events`;
const TRACKER_PATH = '/tracker.js';
/** The image that counts pages without JavaScript. */
export const PIXEL_PATH = '/m.gif';

/** Paths that pages of any origin may use: the script, and the event routes. The first of each is for new tags. */
export type OpenPaths = {
  scripts: readonly string[];
  collect: readonly string[];
  /** Paths of the scripts of other products. */
  compatible: readonly string[];
};

/** Adds the paths of the contract to those of the settings. */
export function toOpenPaths({ scripts, collect, compatible }: OpenPaths): OpenPaths {
  return { scripts: [...scripts, TRACKER_PATH], collect: [...collect, EVENTS_PATH], compatible };
}

/**
 * Returns the path that a script sends to, relative to its own address. The contract's script keeps the contract's path,
 * which existing proxies pass on; others use one that no ad blocker's list blocks.
 */
export function toCollectPath(script: string, { collect }: OpenPaths): string {
  const target = script === TRACKER_PATH ? EVENTS_PATH : (collect[0] ?? EVENTS_PATH);
  return posix.relative(posix.dirname(script), target);
}

/** Every path that takes events: one, or a batch. */
export function toCollectionPaths({ collect, compatible }: OpenPaths): ReadonlySet<string> {
  return new Set([...collect.flatMap((path) => [path, `${path}/batch`]), ...compatible]);
}
/** The settings of a website. */
export const SETTINGS_PATH = new RegExp(`^${API_PREFIX}/websites/[^/]+/settings$`);

/** The path of a request without query and without one trailing slash, whatever the Host header says. */
export function pathOf(request: Request): string {
  const { url } = request;
  const host = url.indexOf('://');
  // Without a Host header the URL has no scheme either: it is the path. (Such requests are refused.)
  const start = host === -1 ? 0 : url.indexOf('/', host + 3);
  if (start === -1) return '/';
  const queryStart = url.indexOf('?', start);
  const target = queryStart === -1 ? url.slice(start) : url.slice(start, queryStart);
  const fragmentStart = target.indexOf('#');
  const path = fragmentStart === -1 ? target : target.slice(0, fragmentStart);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Finds the route of a path, a literal one before one with parameters. */
export function findRoute<Found extends { path: string }>(
  routes: readonly Found[],
  path: string,
): Found | undefined {
  const literal = routes.find((route) => withoutSlash(route.path) === path);
  if (literal) return literal;
  const segments = path.split('/');
  return routes.find((route) => matches(withoutSlash(route.path), segments));
}

function withoutSlash(pattern: string): string {
  return pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern;
}

type Route = { method: string; path: string };

/** The methods of a path, for `Allow`: of the routes whose pattern names most of its segments. Empty without any. */
export function methodsOf(routes: readonly Route[], path: string): string[] {
  const segments = path.split('/');
  const matching = routes.filter((route) => matches(route.path, segments));
  const most = Math.max(...matching.map((route) => namedSegments(route.path)));
  const nearest = matching.filter((route) => namedSegments(route.path) === most);
  const methods = new Set(nearest.map((route) => route.method));
  if (methods.has('GET')) methods.add('HEAD');
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods].sort();
}

/** `*` is less than a parameter. */
function namedSegments(pattern: string): number {
  return pattern.split('/').filter((part) => part !== '*' && !part.startsWith(':')).length;
}

function matches(pattern: string, segments: string[]): boolean {
  const parts = pattern.split('/');
  if (parts.at(-1) === '*')
    return (
      segments.length >= parts.length && parts.slice(0, -1).every((part, index) => part === segments[index])
    );
  return (
    parts.length === segments.length &&
    parts.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}
