import type { LocalDatabase } from '../db/local-database.ts';
import { giveBack } from '../garbage.ts';
import { decodeF64, decodeU32, encodeColumns, lengthOf, openColumns, unpack } from './column-codec.ts';
import { type Day, dayBytes, type ExtraColumn, type FurtherColumns, type WideColumn } from './day.ts';
import { decodeDay, decodedBytes, joinVisits } from './day-codec.ts';
import {
  ALL_PIECES,
  BLOCK,
  decodeLayout,
  GENERATIONS,
  LAYOUT_BYTES_MAX,
  type Layout,
  PIECE_EVENTS,
  pieceName,
  pieceNames,
  totalOf,
} from './day-pieces.ts';
import { type DayProperty, decodeOrdinals, decodeProperty } from './day-properties.ts';
import { createDayRows } from './day-rows.ts';
import {
  compress,
  type DayWrite,
  DIGEST,
  type NewDay,
  PROPERTY_PREFIX,
  prepareDay,
  replaceDay,
} from './day-write.ts';
import { type DayDigest, decodeDigest } from './digest.ts';
import { type Allocate, OWN } from './slab.ts';

/** From the first name of a property up to, without, the first one after them. */
const PROPERTIES: [from: string, to: string] = [PROPERTY_PREFIX, 'property;'];
/** The keys of the events of a day that are being removed (see erase-selected). */
const ERASING = 'erasing';

type DaySize = Pick<Day, 'day' | 'eventCount'>;

export type DayStore = {
  /** The days of a website in [fromDay, toDay] that have events, ascending. */
  days(websiteKey: number, fromDay: number, toDay: number): number[];
  /** @param placeFor where the columns of a day of so many bytes are to be put */
  read(websiteKey: number, day: number, placeFor?: (bytes: number) => Allocate): Day | undefined;
  readExtra(websiteKey: number, day: DaySize, name: ExtraColumn): Uint32Array;
  /** @param out as long as the day */
  readWide(websiteKey: number, day: DaySize, name: WideColumn, out?: Float64Array): Float64Array;
  /** The same, in stretches as they are stored. */
  further(websiteKey: number, day: number): FurtherColumns;
  readProperty(websiteKey: number, day: number, key: string): DayProperty | undefined;
  /** The ordinals of the events that have a property. */
  readOrdinals(websiteKey: number, day: number, key: string): Uint32Array;
  propertyKeys(websiteKey: number, day: number): string[];
  readDigest(websiteKey: number, day: number): DayDigest | undefined;
  /** The log up to this key is in the day's block; 0 when there is no block. */
  untilKey(websiteKey: number, day: number): number;
  /** Packs a day with all of its columns. Packing takes longer than writing, and must not hold the lock. */
  prepare(next: Omit<NewDay, 'pieceEvents'>): DayWrite;
  /**
   * In place of all that a day has, its list of events that are being removed with it.
   *
   * @param next undefined: nothing is left of it
   */
  replace(websiteKey: number, day: number, next: DayWrite | undefined): DayWrite;
  remove(websiteKey: number, day: number): void;
  /** Takes away the pieces that make no day: what writes that were cut off have left. None must be going on. */
  strayPieces(websiteKey: number): Iterable<() => void>;
  /** The days that have such a list, ascending. */
  erasingDays(websiteKey: number): number[];
  readErasing(websiteKey: number, day: number): Float64Array;
  /** @param keys none: the list is taken away */
  prepareErasing(websiteKey: number, day: number, keys: readonly number[]): () => void;
};

/** Days as they are stored. @param pieceEvents see day-pieces */
export function createDayStore(database: LocalDatabase, pieceEvents = PIECE_EVENTS): DayStore {
  const rows = createDayRows(database);

  /** @returns undefined for a day that is not in pieces, or not there */
  function layoutOf(websiteKey: number, day: number): Layout | undefined {
    const block = rows.shortBlock(websiteKey, day, LAYOUT_BYTES_MAX);
    return block && decodeLayout(block);
  }

  function unpacked(websiteKey: number, day: number, name: string): Uint8Array<ArrayBuffer> | undefined {
    const data = rows.column(websiteKey, day, name);
    if (!data) return undefined;
    const bytes = Bun.zstdDecompressSync(data) as Buffer<ArrayBuffer>; // never shared memory
    giveBack(data);
    return bytes;
  }

  function* blocks(websiteKey: number, day: number, { generation, visits }: Layout): Generator<Uint8Array> {
    for (let piece = 0; piece < visits.length; piece += 1) {
      const block = rows.column(websiteKey, day, pieceName(generation, piece, BLOCK));
      if (!block) throw isIncomplete(websiteKey, day);
      yield block;
      giveBack(block);
    }
  }

  /** The stretches of a column, each as one packed column. Nothing of a column that is not stored. */
  function* stretches(websiteKey: number, day: number, name: string): Generator<Uint8Array> {
    const layout = layoutOf(websiteKey, day);
    const names = layout
      ? Array.from(layout.visits, (_, piece) => pieceName(layout.generation, piece, name))
      : [name];
    for (const one of names) {
      const bytes = unpacked(websiteKey, day, one);
      if (!bytes && layout) throw isIncomplete(websiteKey, day);
      if (!bytes) return;
      yield openColumns(bytes);
      giveBack(bytes);
    }
  }

  function* decoded<Column>(stretches: Iterable<Uint8Array>, decode: (bytes: Uint8Array) => Column) {
    for (const bytes of stretches) yield decode(bytes);
  }

  /** @param out with zeros for what is not stored */
  function join<Column extends Uint32Array | Float64Array>(out: Column, from: Iterable<Uint8Array>): Column {
    let end = 0;
    for (const bytes of from) {
      const start = end;
      end += lengthOf(bytes, 0);
      unpack(bytes, 0, out.subarray(start, end));
    }
    if (end === 0) return out.fill(0) as Column; // fill returns the array itself
    if (end !== out.length) throw new Error('A column of a day has another length than the day.'); // and what was in `out`
    return out;
  }

  function* strayPieces(websiteKey: number): Generator<() => void> {
    for (const day of rows.daysWithSome(websiteKey, ALL_PIECES)) {
      const named = layoutOf(websiteKey, day)?.generation;
      for (const generation of GENERATIONS)
        if (generation !== named)
          for (const name of rows.names(websiteKey, day, pieceNames(generation)))
            yield () => rows.removeColumn(websiteKey, day, name);
    }
  }

  return {
    days: rows.days,
    read(websiteKey, day, placeFor = () => OWN) {
      const data = rows.block(websiteKey, day);
      if (!data) return undefined;
      const layout = decodeLayout(data);
      if (layout) {
        const size = { visits: totalOf(layout.visits), events: totalOf(layout.events) };
        const place = placeFor(dayBytes(size.visits, size.events));
        return joinVisits(day, size, blocks(websiteKey, day, layout), place);
      }
      const decoded = decodeDay(day, data, placeFor(decodedBytes(data)));
      giveBack(data);
      return decoded;
    },
    readExtra: (websiteKey, { day, eventCount }, name) =>
      join(new Uint32Array(eventCount), stretches(websiteKey, day, name)),
    readWide: (websiteKey, { day, eventCount }, name, out = new Float64Array(eventCount)) =>
      join(out, stretches(websiteKey, day, name)),
    further: (websiteKey, day) => ({
      extra: (name) => decoded(stretches(websiteKey, day, name), (bytes) => decodeU32(bytes, 0)),
      wide: (name) => decoded(stretches(websiteKey, day, name), (bytes) => decodeF64(bytes, 0)),
    }),
    readProperty(websiteKey, day, key) {
      const bytes = unpacked(websiteKey, day, PROPERTY_PREFIX + key);
      if (!bytes) return undefined;
      const property = decodeProperty(bytes);
      giveBack(bytes);
      return property;
    },
    readOrdinals(websiteKey, day, key) {
      const bytes = unpacked(websiteKey, day, PROPERTY_PREFIX + key);
      if (!bytes) return new Uint32Array(0);
      const ordinals = decodeOrdinals(bytes);
      giveBack(bytes);
      return ordinals;
    },
    propertyKeys: (websiteKey, day) =>
      rows.names(websiteKey, day, PROPERTIES).map((name) => name.slice(PROPERTY_PREFIX.length)),
    readDigest(websiteKey, day) {
      const data = rows.column(websiteKey, day, DIGEST);
      if (!data) return undefined;
      const digest = decodeDigest(day, data);
      giveBack(data);
      return digest;
    },
    untilKey: rows.untilKey,
    prepare: (next) =>
      prepareDay(rows, () => layoutOf(next.websiteKey, next.day.day), { ...next, pieceEvents }),
    replace: (websiteKey, day, next) => replaceDay(rows, [websiteKey, day], next),
    remove: (websiteKey, day) => rows.remove(websiteKey, day),
    strayPieces,
    erasingDays: (websiteKey) => rows.daysWith(websiteKey, ERASING),
    readErasing(websiteKey, day) {
      const bytes = unpacked(websiteKey, day, ERASING);
      return bytes ? decodeF64(openColumns(bytes), 0) : new Float64Array(0);
    },
    prepareErasing(websiteKey, day, keys) {
      if (keys.length === 0) return () => rows.removeColumn(websiteKey, day, ERASING);
      const data = compress(encodeColumns([Float64Array.from(keys)]));
      return () => rows.writeColumn(websiteKey, day, ERASING, data);
    },
  };
}

function isIncomplete(websiteKey: number, day: number): Error {
  return new Error(`Day ${day} of website ${websiteKey} is without one of its pieces.`);
}
