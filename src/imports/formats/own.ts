import { EVENT_TEXT_NAMES, READ_TEXT_NAMES } from '../../vocabulary/event-texts.ts';
import type { Format, ImportedFields, ImportRow } from '../format.ts';
import { readCsv, readHeader } from '../source/csv.ts';
import { eachJson, firstJson } from '../source/json-lines.ts';
import type { SourceFile } from '../source/source-file.ts';

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
  'properties',
];
const COLUMNS = Object.fromEntries([...FIELDS, 'timestamp'].map((name) => [name, name]));

export const ownJson: Format = {
  name: 'pagemeter',
  title: 'Pagemeter NDJSON',
  matches({ head }) {
    const first = firstJson(head);
    return first !== undefined && 'eventType' in first && 'visitorId' in first;
  },
  columns: { ...COLUMNS, createdAt: 'timestamp' },
  read: (files) => eachJson(files, (fields) => toEvent(fields)),
};

export const ownCsv: Format = {
  name: 'pagemeter-csv',
  title: 'Pagemeter CSV',
  matches({ head }) {
    const header = readHeader(head);
    return ['eventtype', 'url', 'sessionid', 'visitorid'].every((name) => header.includes(name));
  },
  columns: { ...COLUMNS, createdAt: 'timestamp' },
  async *read(files) {
    for (const file of files) yield* readOwnCsv(file);
  },
};

async function* readOwnCsv(file: SourceFile): AsyncGenerator<ImportRow[], void, undefined> {
  for await (const group of readCsv(file))
    yield group.map(({ line, fields }) => {
      const own: Record<string, unknown> = {};
      for (const name of ['createdAt', 'timestamp', ...FIELDS]) {
        const text = fields[name.toLowerCase()];
        if (text) own[name] = withoutEscape(text);
      }
      if (typeof own.timestamp === 'string') own.timestamp = Number(own.timestamp);
      if (typeof own.properties !== 'string') return { line, ...toEvent(own) };
      try {
        return { line, ...toEvent({ ...own, properties: JSON.parse(own.properties) }) };
      } catch {
        return { line, reason: 'properties: Must be a JSON object' };
      }
    });
}

/** Exports put an apostrophe before what a spreadsheet would take for a formula. */
function withoutEscape(text: string): string {
  return /^'[=+\-@＝＋－＠\t\r\n]/.test(text) ? text.slice(1) : text;
}

function toEvent({ createdAt, ...fields }: Record<string, unknown>): { event: ImportedFields } {
  return { event: { ...fields, timestamp: fields.timestamp ?? toMs(createdAt) } };
}

const INSTANT = /^-?\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Anything but an instant stays as it is, to be rejected by name. */
function toMs(createdAt: unknown): unknown {
  return typeof createdAt === 'string' && INSTANT.test(createdAt) ? Date.parse(createdAt) : createdAt;
}
