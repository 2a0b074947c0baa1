import type { Analytics } from '../analytics.ts';

/** What can be asked of the engine in its thread: the worker answers these by name, its client has a method for each. */
export const METHODS = [
  'query',
  'conditions',
  'revenue',
  'funnel',
  'retention',
  'journeys',
  'attribution',
  'values',
  'realtime',
  'sessions',
  'session',
  'visitors',
  'visitor',
  'pages',
  'page',
  'customEvents',
  'propertyKeys',
  'propertyValues',
  'headlines',
  'exportVisitor',
  'eraseVisitor',
  'eraseSelected',
  'rebuild',
  'catchUp',
  'readUntil',
  'close',
] as const satisfies readonly (keyof Analytics)[];
export type Method = (typeof METHODS)[number];
