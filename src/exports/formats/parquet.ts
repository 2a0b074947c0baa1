import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { ParquetWriter } from 'hyparquet-writer';
import { ENGAGEMENT_NAMES } from '../../db/packed-engagement.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { EVENT_ROW_COLUMNS, toEventRow } from '../../metrics/files/event-row.ts';
import type { ExportCompression } from '../../vocabulary/exports.ts';
import type { Encoder } from '../encoder.ts';

/** Parquet with a row group for each group of events. `properties` are JSON text: the format has no type for any object. */

const CODECS = { none: 'UNCOMPRESSED', gzip: 'GZIP', zstd: 'ZSTD' } as const satisfies Record<
  ExportCompression,
  string
>;
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
};

type State = { bytes: number; rowGroups: ParquetWriter['row_groups'] };

/** @param state of the file that is continued */
export async function createParquetEncoder(compression: ExportCompression, state?: State): Promise<Encoder> {
  const { ByteWriter, ParquetWriter: Writer } = await import('hyparquet-writer');
  const output = new ByteWriter();
  const writer = new Writer({
    writer: output,
    schema: [{ name: 'root', num_children: EVENT_ROW_COLUMNS.length }, ...EVENT_ROW_COLUMNS.map(toElement)],
    codec: CODECS[compression],
    compressors: COMPRESSORS,
    createdBy: 'Pagemeter',
  });
  if (state) {
    output.index = 0; // its first bytes are written
    output.offset = state.bytes;
    writer.row_groups = state.rowGroups;
    writer.num_rows = state.rowGroups.reduce((sum, group) => sum + group.num_rows, 0n);
  }

  /** The offsets of the writer count on. */
  function take(): Uint8Array {
    const bytes = output.getBytes().slice();
    output.index = 0;
    return bytes;
  }

  return {
    begin: async () => take(),
    async encode(events) {
      await writer.write({ columnData: toColumns(events), rowGroupSize: events.length });
      writer.pendingIndexes = []; // there are none, and the list would grow with the file
      return take();
    },
    async end() {
      await writer.finish();
      return take();
    },
    state: (): State => ({ bytes: output.offset, rowGroups: writer.row_groups }),
  };
}

type Name = (typeof EVENT_ROW_COLUMNS)[number];
const REQUIRED: ReadonlySet<Name> = new Set([
  'id',
  'createdAt',
  'eventType',
  'url',
  'sessionId',
  'visitorId',
]);

const INTEGERS: ReadonlySet<Name> = new Set(ENGAGEMENT_NAMES);

function toElement(name: Name) {
  const repetition = REQUIRED.has(name) ? ('REQUIRED' as const) : ('OPTIONAL' as const);
  const element = { name, repetition_type: repetition };
  if (name === 'createdAt') return { ...element, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' } as const;
  if (name.startsWith('is')) return { ...element, type: 'BOOLEAN' } as const;
  if (INTEGERS.has(name)) return { ...element, type: 'INT32' } as const;
  return { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
}

function toColumns(events: readonly LoggedEvent[]) {
  const rows = events.map(toEventRow);
  return EVENT_ROW_COLUMNS.map((name) => ({
    name,
    offsetIndex: false,
    statistics: name === 'createdAt', // for readers that skip groups; the others would only name what is in the file
    data:
      name === 'properties'
        ? events.map(({ properties }) => properties)
        : name === 'createdAt'
          ? events.map(({ createdAtMs }) => new Date(createdAtMs))
          : rows.map((row) => row[name]),
  }));
}
