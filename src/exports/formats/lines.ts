import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import type { LoggedEvent } from '../../log/event.ts';
import { EVENT_ROW_COLUMNS, toEventRow } from '../../metrics/files/event-row.ts';
import { toCsvLine } from '../../metrics/files/format.ts';
import type { ExportCompression } from '../../vocabulary/exports.ts';
import type { Encoder } from '../encoder.ts';

/** NDJSON and CSV: a line for each event. Readers of gzip and zstd take members one after the other for one file. */

const LINES = {
  ndjson: { head: '', toLine: toJsonLine },
  csv: { head: toCsvLine(EVENT_ROW_COLUMNS), toLine: toCsvEvent },
} as const;

/** In threads of the runtime, so that the next events are read in the meantime. */
const COMPRESS: Record<ExportCompression, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  none: (bytes) => Promise.resolve(bytes),
  gzip: promisify<Uint8Array, Uint8Array>(gzip),
  zstd: promisify<Uint8Array, Uint8Array>(zstdCompress),
};

export function createLineEncoder(format: keyof typeof LINES, compression: ExportCompression): Encoder {
  const { head, toLine } = LINES[format];
  const encoder = new TextEncoder();
  const compress = COMPRESS[compression];
  return {
    begin: () => compress(encoder.encode(head)), // also without a head: an empty file is not gzip
    encode: (events) => compress(encoder.encode(events.map(toLine).join(''))),
    end: () => Promise.resolve(new Uint8Array()),
    state: () => undefined,
  };
}

/** The text of the properties is put in as it is stored. */
function toJsonLine(event: LoggedEvent): string {
  return `${JSON.stringify(toEventRow(event)).slice(0, -1)},"properties":${event.properties ?? 'null'}}\n`;
}

function toCsvEvent(event: LoggedEvent): string {
  return toCsvLine([...Object.values(toEventRow(event)), event.properties]);
}
