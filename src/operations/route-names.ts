import { findRoute } from '../http/path.ts';
import { API_PREFIX } from '../vocabulary/contract.ts';
import type { RouteGroup } from './counters.ts';

/** Returns the pattern of a path's route, which contains no ids. */
export function patternOf(routes: readonly { path: string }[], path: string): string | undefined {
  return findRoute(routes, path)?.path;
}

export function groupOf(pattern: string | undefined): RouteGroup {
  if (pattern === undefined) return 'unknown';
  return GROUPS.find(([prefix]) => prefix.test(pattern))?.[1] ?? 'pages';
}

const GROUPS: readonly [RegExp, RouteGroup][] = [
  [/^\/(api\/ping|api\/health|metrics)$/, 'operations'],
  [new RegExp(`^${API_PREFIX}/auth(/|$)`), 'accounts'],
  [new RegExp(`^${API_PREFIX}/events(/|$)`), 'events'],
  [new RegExp(`^${API_PREFIX}/websites(/:id(/settings)?)?$`), 'websites'],
  [/^\/api\//, 'statistics'],
];
