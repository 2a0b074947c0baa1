import { ENGAGEMENT_NAMES } from '../../db/packed-engagement.ts';
import { EVENT_TEXT_NAMES, READ_TEXT_NAMES } from '../../vocabulary/event-texts.ts';
import { toProperties } from '../fields.ts';
import type { Format, ImportedFields, RowContent } from '../format.ts';
import { eachRecord, readHeader } from '../source/csv.ts';
import { eachJson, firstJson } from '../source/json-lines.ts';

/** Events as `GET /events` lists them and exports write them: one JSON object a line, or CSV with the same names. */

const FIELDS = [
  'id',
  'eventType',
  'url',
  'referrer',
  'sessionId',
  'visitorId',
  'deviceType',
  ...EVENT_TEXT_NAMES,
  ...READ_TEXT_NAMES,
  'isBot',
  'isExcluded',
  'isAnonymous',
  ...ENGAGEMENT_NAMES,
  'properties',
];
const COLUMNS = Object.fromEntries([...FIELDS, 'timestamp'].map((name) => [name, name]));

export const ownJson: Format = {
  name: 'pagemeter',
  matches({ head }) {
    const first = firstJson(head);
    return first !== undefined && 'eventType' in first && 'visitorId' in first;
  },
  columns: { ...COLUMNS, createdAt: 'timestamp' },
  read: (files) => eachJson(files, (fields) => toEvent(fields)),
};

export const ownCsv: Format = {
  name: 'pagemeter-csv',
  matches({ head }) {
    const header = readHeader(head);
    return ['eventtype', 'url', 'sessionid', 'visitorid'].every((name) => header.includes(name));
  },
  readNames: ({ head }) => readHeader(head),
  columns: { ...COLUMNS, createdAt: 'timestamp' },
  read: (files) => eachRecord(files, toCsvEvent),
};

function toCsvEvent(fields: Record<string, string>): RowContent {
  const own: Record<string, unknown> = {};
  for (const name of ['createdAt', 'timestamp', ...FIELDS]) {
    const text = fields[name.toLowerCase()];
    if (text) own[name] = name.startsWith('is') ? text === 'true' : withoutEscape(text);
  }
  for (const name of ['timestamp', ...ENGAGEMENT_NAMES])
    if (typeof own[name] === 'string') own[name] = Number(own[name]);
  if (typeof own.properties !== 'string') return toEvent(own);
  const properties = toProperties(own.properties);
  return properties ? toEvent({ ...own, properties }) : { reason: 'properties: Must be a JSON object' };
}

/** Exports put an apostrophe before what a spreadsheet would take for a formula, and before one that has some already. */
function withoutEscape(text: string): string {
  return /^'+[=+\-@＝＋－＠\t\r\n]/.test(text) ? text.slice(1) : text;
}

function toEvent({ createdAt, ...fields }: Record<string, unknown>): { event: ImportedFields } {
  // Parquet has no type for any object: properties are JSON texts there.
  const properties =
    typeof fields.properties === 'string'
      ? (toProperties(fields.properties) ?? fields.properties)
      : fields.properties;
  return { event: { ...fields, properties, timestamp: fields.timestamp ?? toMs(createdAt) } };
}

const INSTANT = /^-?\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Anything but an instant stays as it is, to be rejected by name. */
function toMs(createdAt: unknown): unknown {
  return typeof createdAt === 'string' && INSTANT.test(createdAt) ? Date.parse(createdAt) : createdAt;
}
