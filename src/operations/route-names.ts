import { findRoute } from '../http/path.ts';
import { API_PREFIX } from '../vocabulary/contract.ts';
import type { RouteGroup } from './counters.ts';

/** The pattern of the route that a path belongs to, which holds no ids; undefined when there is none. */
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
