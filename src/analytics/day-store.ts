import type { LocalDatabase } from '../db/local-database.ts';
import { discard, giveBack } from '../garbage.ts';
import { decodeF64, decodeU32, encodeColumns, openColumns } from './column-codec.ts';
import {
  type Day,
  EXTRA_COLUMNS,
  type ExtraColumn,
  type FurtherColumns,
  WIDE_COLUMNS,
  type WideColumn,
} from './day.ts';
import { decodeDay, decodedBytes, encodeDay } from './day-codec.ts';
import { type DayProperty, decodeOrdinals, decodeProperty, encodeProperty } from './day-properties.ts';
import { type DayDigest, decodeDigest, encodeDigest, toDigest } from './digest.ts';
import { type Allocate, OWN } from './slab.ts';

/** Names of property columns begin with this; the others are those of EXTRA_COLUMNS and WIDE_COLUMNS, and the digest. */
const PROPERTY_PREFIX = 'property:';
const DIGEST = 'digest';
/** The keys of the events of a day that are being removed (see erase-selected). */
const ERASING = 'erasing';

type DaySize = Pick<Day, 'day' | 'eventCount'>;

export type DayStore = {
  /** The days of a website in [fromDay, toDay] that have events, ascending. */
  days(websiteKey: number, fromDay: number, toDay: number): number[];
  /** @param placeFor where the columns of a day of so many bytes are to be put */
  read(websiteKey: number, day: number, placeFor?: (bytes: number) => Allocate): Day | undefined;
  readExtra(websiteKey: number, day: DaySize, name: ExtraColumn): Uint32Array;
  readWide(websiteKey: number, day: DaySize, name: WideColumn): Float64Array;
  readProperty(websiteKey: number, day: number, key: string): DayProperty | undefined;
  /** The ordinals of the events that have a property. */
  readOrdinals(websiteKey: number, day: number, key: string): Uint32Array;
  propertyKeys(websiteKey: number, day: number): string[];
  readDigest(websiteKey: number, day: number): DayDigest | undefined;
  /** The log up to this key is in the day's block; 0 when there is no block. */
  untilKey(websiteKey: number, day: number): number;
  /**
   * Packs a day with all of its columns and the given properties. The result writes them, within the caller's
   * transaction: packing takes longer than writing, and must not hold the lock.
   *
   * @param further taken one after the other, and given back
   */
  prepare(
    websiteKey: number,
    day: Day,
    further: FurtherColumns,
    untilKey: number,
    properties: ReadonlyMap<string, DayProperty>,
  ): () => void;
  /** Also the day's list of events that are being removed. */
  remove(websiteKey: number, day: number): void;
  /** The days that have such a list, ascending. */
  erasingDays(websiteKey: number): number[];
  readErasing(websiteKey: number, day: number): Float64Array;
  /** @param keys none: the list is taken away */
  prepareErasing(websiteKey: number, day: number, keys: readonly number[]): () => void;
};

/** The rows of `day_blocks` and `day_columns`. */
export function createDayStore(database: LocalDatabase): DayStore {
  const listDays = database.prepare(
    'SELECT day FROM day_blocks WHERE website_key = ? AND day BETWEEN ? AND ? ORDER BY day',
  );
  const readBlock = database.prepare('SELECT data FROM day_blocks WHERE website_key = ? AND day = ?');
  const readColumn = database.prepare(
    'SELECT data FROM day_columns WHERE website_key = ? AND day = ? AND name = ?',
  );
  const listColumns = database.prepare(
    'SELECT name FROM day_columns WHERE website_key = ? AND day = ? ORDER BY name',
  );
  const writeBlock = database.prepare(
    'INSERT INTO day_blocks (website_key, day, until_key, data) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET until_key = excluded.until_key, data = excluded.data',
  );
  const readUntilKey = database.prepare(
    'SELECT until_key AS untilKey FROM day_blocks WHERE website_key = ? AND day = ?',
  );
  const writeColumn = database.prepare(
    'INSERT INTO day_columns (website_key, day, name, data) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data',
  );
  const removeBlock = database.prepare('DELETE FROM day_blocks WHERE website_key = ? AND day = ?');
  const removeColumns = database.prepare('DELETE FROM day_columns WHERE website_key = ? AND day = ?');
  const removeColumn = database.prepare(
    'DELETE FROM day_columns WHERE website_key = ? AND day = ? AND name = ?',
  );
  const listDaysOf = database.prepare(
    'SELECT day FROM day_columns WHERE website_key = ? AND name = ? ORDER BY day',
  );

  function column(websiteKey: number, day: number, name: string): Uint8Array<ArrayBuffer> | undefined {
    // The statement names one column, a blob.
    const row = readColumn.get([websiteKey, day, name]) as { data: Uint8Array<ArrayBuffer> } | undefined;
    if (!row) return undefined;
    const bytes = Bun.zstdDecompressSync(row.data) as Buffer<ArrayBuffer>; // never shared memory
    giveBack(row.data);
    return bytes;
  }

  return {
    days(websiteKey, fromDay, toDay) {
      const rows = listDays.all([websiteKey, fromDay, toDay]) as { day: number }[];
      return rows.map(({ day }) => day);
    },
    read(websiteKey, day, placeFor = () => OWN) {
      const row = readBlock.get([websiteKey, day]) as { data: Uint8Array<ArrayBuffer> } | undefined;
      if (!row) return undefined;
      const decoded = decodeDay(day, row.data, placeFor(decodedBytes(row.data)));
      giveBack(row.data);
      return decoded;
    },
    readExtra(websiteKey, { day, eventCount }, name) {
      const blob = column(websiteKey, day, name);
      if (!blob) return new Uint32Array(eventCount);
      const decoded = decodeU32(openColumns(blob), 0);
      giveBack(blob);
      return decoded;
    },
    readWide(websiteKey, { day, eventCount }, name) {
      const blob = column(websiteKey, day, name);
      if (!blob) return new Float64Array(eventCount);
      const decoded = decodeF64(openColumns(blob), 0);
      giveBack(blob);
      return decoded;
    },
    readProperty(websiteKey, day, key) {
      const blob = column(websiteKey, day, PROPERTY_PREFIX + key);
      if (!blob) return undefined;
      const property = decodeProperty(blob);
      giveBack(blob);
      return property;
    },
    readOrdinals(websiteKey, day, key) {
      const blob = column(websiteKey, day, PROPERTY_PREFIX + key);
      if (!blob) return new Uint32Array(0);
      const ordinals = decodeOrdinals(blob);
      giveBack(blob);
      return ordinals;
    },
    propertyKeys(websiteKey, day) {
      const rows = listColumns.all([websiteKey, day]) as { name: string }[];
      return rows
        .filter(({ name }) => name.startsWith(PROPERTY_PREFIX))
        .map(({ name }) => name.slice(PROPERTY_PREFIX.length));
    },
    readDigest(websiteKey, day) {
      const row = readColumn.get([websiteKey, day, DIGEST]) as { data: Uint8Array<ArrayBuffer> } | undefined;
      if (!row) return undefined;
      const digest = decodeDigest(day, row.data);
      giveBack(row.data);
      return digest;
    },
    untilKey(websiteKey, day) {
      const row = readUntilKey.get([websiteKey, day]) as { untilKey: number } | undefined;
      return row?.untilKey ?? 0;
    },
    prepare(websiteKey, day, further, untilKey, properties) {
      const columns: { name: string; data: Buffer }[] = [];
      // These are the largest before they are packed, and the smallest afterwards: the block is not there meanwhile.
      for (const name of EXTRA_COLUMNS) columns.push({ name, data: packColumn(further.extra(name)) });
      for (const name of WIDE_COLUMNS) columns.push({ name, data: packColumn(further.wide(name)) });
      for (const [key, property] of properties)
        columns.push({ name: PROPERTY_PREFIX + key, data: compress(encodeProperty(property)) });
      columns.push({ name: DIGEST, data: toBuffer(encodeDigest(toDigest(day))) }); // packed no further: read at once
      const block = toBuffer(encodeDay(day));
      discard(columns.reduce((sum, { data }) => sum + 2 * data.byteLength, 2 * block.byteLength));
      return () => {
        writeBlock.run([websiteKey, day.day, untilKey, block]);
        for (const { name, data } of columns) writeColumn.run([websiteKey, day.day, name, data]);
      };
    },
    remove(websiteKey, day) {
      removeBlock.run([websiteKey, day]);
      removeColumns.run([websiteKey, day]);
    },
    erasingDays(websiteKey) {
      const rows = listDaysOf.all([websiteKey, ERASING]) as { day: number }[];
      return rows.map(({ day }) => day);
    },
    readErasing(websiteKey, day) {
      const blob = column(websiteKey, day, ERASING);
      return blob ? decodeF64(openColumns(blob), 0) : new Float64Array(0);
    },
    prepareErasing(websiteKey, day, keys) {
      if (keys.length === 0) return () => void removeColumn.run([websiteKey, day, ERASING]);
      const data = compress(encodeColumns([Float64Array.from(keys)]));
      return () => void writeColumn.run([websiteKey, day, ERASING, data]);
    },
  };
}

function packColumn(column: Uint32Array | Float64Array): Buffer {
  const bytes = encodeColumns([column]);
  giveBack(column);
  return compress(bytes);
}

/** Columns that few questions need shrink to a half; those of every question stay as they are, ready to be used. */
function compress(bytes: Uint8Array): Buffer {
  const compressed = Bun.zstdCompressSync(bytes, { level: 3 });
  giveBack(new Uint8Array(bytes.buffer)); // there may be more of it than was packed
  return compressed;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
