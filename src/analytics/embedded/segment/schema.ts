import { toTypeCode } from '../../../log/event-type.ts';
import {
  CLIENT_DIMENSIONS,
  EDGE_DIMENSIONS,
  EVENT_DIMENSIONS,
  ORIGIN_DIMENSIONS,
  VISIT_EVENTS_MAX,
} from '../../../vocabulary/analytics.ts';
import { DAY_MS } from '../../../vocabulary/durations.ts';
import { DICTIONARIES } from '../../dimensions.ts';

/** Maximum events of a segment, so that counts, offsets and local codes fit into 16 bits. A visit is never longer. */
export const SEGMENT_EVENTS_MAX = VISIT_EVENTS_MAX;

/** The code of pageviews in the column `eventType`. */
export const PAGEVIEW = toTypeCode('pageview') + 1;
/** The code of clicks in the column `eventType`. */
export const CLICK = toTypeCode('click') + 1;

/** Dimensions of a visit that its first event determines. */
export const FACT_DIMENSIONS = [...ORIGIN_DIMENSIONS, ...CLIENT_DIMENSIONS] as const;

/** Columns of visits that hold local codes: one column a dimension of visits. */
export const VISIT_CODES = [...EDGE_DIMENSIONS, ...FACT_DIMENSIONS] as const;
/** Columns of events that hold local codes of a dictionary. */
export const EVENT_CODES = EVENT_DIMENSIONS.filter((name) => name !== 'eventType');
export type CodeColumn = (typeof VISIT_CODES)[number] | (typeof EVENT_CODES)[number];
const CODE_TYPES = Object.fromEntries(
  [...VISIT_CODES, ...EVENT_CODES].map((name) => [name, Uint16Array]),
) as Record<CodeColumn, typeof Uint16Array>;

type ColumnType = typeof Uint8Array | typeof Uint16Array | typeof Uint32Array | typeof Float64Array;

/**
 * The columns of a segment, and their types. Instants are milliseconds since the start of the segment's day. `first` holds
 * the index of each visit's first event, then the count of events.
 */
export const COLUMN_TYPES = {
  visitor: Uint32Array,
  class: Uint8Array,
  first: Uint16Array,
  pageviews: Uint16Array,
  startMs: Uint32Array,
  durationMs: Uint32Array,
  atMs: Uint32Array,
  /** Index into EVENT_TYPES, plus 1: its own dictionary. */
  eventType: Uint8Array,
  key: Float64Array,
  /** Index into `sessions`, which holds the hash of each different session. */
  session: Uint16Array,
  sessions: Float64Array,
  /** Visits, ascending, that begin in one hour (UTC) and end in another, and the instants of their events. */
  longVisit: Uint16Array,
  longVisitMs: Uint32Array,
  ...CODE_TYPES,
} as const satisfies Record<string, ColumnType>;
export type ColumnName = keyof typeof COLUMN_TYPES;
export type Column<Name extends ColumnName = ColumnName> = InstanceType<(typeof COLUMN_TYPES)[Name]>;

export type LocalDictionary = (typeof EVENT_CODES)[number] | (typeof FACT_DIMENSIONS)[number];
/** Local dictionaries by name, in their stored order. Columns of local codes have one each; some share one. */
export const LOCAL_DICTIONARIES = DICTIONARIES.filter(
  (name): name is LocalDictionary => name !== 'propertyKey',
);

export function dictionaryOf(column: CodeColumn): LocalDictionary {
  return column === 'entryPage' || column === 'exitPage' ? 'page' : column;
}

/** Dimensions of visits that dashboards load first; the others are read on demand. */
const OFTEN_ASKED: readonly CodeColumn[] = [
  'entryPage',
  'source',
  'channel',
  'country',
  'deviceType',
  'browser',
  'os',
];

/**
 * Columns stored and read together, by their position: append new ones. A segment that was stored before a column was
 * appended reads as absent there, until it is refreshed (see RULES).
 */
export const PARTS = {
  visits: [
    'visitor',
    'class',
    'first',
    'pageviews',
    'startMs',
    'durationMs',
    'longVisit',
    'longVisitMs',
    ...OFTEN_ASKED,
  ],
  facts: [
    'exitPage',
    ...LOCAL_DICTIONARIES.filter(
      (name): name is (typeof FACT_DIMENSIONS)[number] =>
        !OFTEN_ASKED.includes(name) && !(EVENT_CODES as readonly string[]).includes(name),
    ),
  ],
  events: ['eventType', 'page'],
  times: ['atMs', ...EVENT_CODES.filter((name) => name !== 'page')],
  identity: ['key', 'session', 'sessions'],
} as const satisfies Record<string, readonly ColumnName[]>;
export type PartName = keyof typeof PARTS;
export const PART_NAMES = [
  'visits',
  'facts',
  'events',
  'times',
  'identity',
  'dictionaries',
  'properties',
] as const;
export type StoredPart = (typeof PART_NAMES)[number];

/** Form of stored segments. Change it when earlier segments cannot be read: all are deleted, and derived again. */
export const FORMAT = 19_701_539_171;
/**
 * Version of what is derived from an event. Increase it with a rule in `derive`, or with a column. Segments of earlier rules
 * still answer questions, and are derived again in the background (see write/refresh).
 */
export const RULES = 1;

export function partOf(column: ColumnName): PartName {
  for (const [part, columns] of Object.entries(PARTS) as [PartName, readonly ColumnName[]][])
    if (columns.includes(column)) return part;
  throw new RangeError(`No part has the column ${column}.`);
}

export function dayOf(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS);
}
