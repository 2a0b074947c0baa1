import { discard, giveBack } from '../garbage.ts';
import { encodeColumns } from './column-codec.ts';
import { type Day, EXTRA_COLUMNS, type FurtherColumns, WIDE_COLUMNS } from './day.ts';
import { encodeDay, encodeVisits } from './day-codec.ts';
import {
  BLOCK,
  cutDay,
  encodeLayout,
  endsOf,
  type Generation,
  type Layout,
  otherGeneration,
  pieceName,
  pieceNames,
} from './day-pieces.ts';
import { type DayProperty, encodeProperty, freeProperty, propertyBytes } from './day-properties.ts';
import type { DayRows } from './day-rows.ts';
import { packDigest, toDigest } from './digest.ts';

/** A day that is about to be written. */
export type DayWrite = {
  /**
   * Packs and writes a large day piece by piece: each in a transaction of its own, before the next one is asked for.
   * Others read the day as it was.
   */
  ahead: Iterable<() => void>;
  /** That of these pieces, which are there now. */
  generation(): Generation | undefined;
  /** Makes it the day, within the caller's transaction. */
  write(): void;
  /** Takes away the pieces that the day was made of. What is left of them goes with the next write. */
  after: Iterable<() => void>;
};

/** Names of columns: those of EXTRA_COLUMNS and WIDE_COLUMNS, pieces (see day-pieces), properties and the digest. */
export const PROPERTY_PREFIX = 'property:';
export const DIGEST = 'digest';

type PackedColumn = { name: string; data: Buffer };

export type NewDay = {
  websiteKey: number;
  day: Day;
  /** Taken one after the other, and given back. */
  further: FurtherColumns;
  untilKey: number;
  /** By key, given back. Those that are not among them stay as they are. */
  properties: Iterable<[key: string, property: DayProperty]>;
  pieceEvents: number;
};

/** @param layoutOf how the day is stored at the moment */
export function prepareDay(rows: DayRows, layoutOf: () => Layout | undefined, next: NewDay): DayWrite {
  const { websiteKey, day, further, untilKey, properties, pieceEvents } = next;
  const cut = cutDay(day, pieceEvents);
  const columns: PackedColumn[] = [];
  // These are the largest before they are packed, and the smallest afterwards: the block is not there meanwhile.
  if (!cut) columns.push(...packFurther(further, [day.eventCount], (_, name) => name));
  for (const [key, property] of properties) {
    columns.push({ name: PROPERTY_PREFIX + key, data: compress(encodeProperty(property)) });
    discard(propertyBytes(property));
    freeProperty(property);
  }
  columns.push({ name: DIGEST, data: toBuffer(packDigest(toDigest(day))) }); // packed no further: read at once
  const block = cut ? undefined : toBuffer(encodeDay(day));
  discard(columns.reduce((sum, { data }) => sum + 2 * data.byteLength, 2 * (block?.byteLength ?? 0)));
  const writeColumn = ({ name, data }: PackedColumn) => rows.writeColumn(websiteKey, day.day, name, data);
  let before: Layout | undefined;
  let layout: Layout | undefined;

  function* ahead(): Generator<() => void> {
    before = layoutOf();
    if (!cut) return;
    const generation = otherGeneration(before?.generation);
    layout = { ...cut, generation };
    yield* removePieces(generation);
    const nameOf = (piece: number, name: string) => pieceName(generation, piece, name);
    for (const packed of packFurther(further, endsOf(cut.events), nameOf)) {
      yield () => writeColumn(packed);
      discard(2 * packed.data.byteLength);
    }
    let from = 0;
    for (const [piece, to] of endsOf(cut.visits).entries()) {
      const data = toBuffer(encodeVisits(day, { from, to }));
      yield () => writeColumn({ name: nameOf(piece, BLOCK), data });
      giveBack(new Uint8Array(data.buffer));
      from = to;
    }
  }

  function* removePieces(generation: Generation): Generator<() => void> {
    for (const name of rows.names(websiteKey, day.day, pieceNames(generation)))
      yield () => rows.removeColumn(websiteKey, day.day, name);
  }

  function write(): void {
    const data = layout ? toBuffer(encodeLayout(layout)) : block;
    if (!data) throw new Error(`Day ${day.day} was not written ahead.`);
    rows.writeBlock(websiteKey, day.day, untilKey, data);
    for (const column of columns) writeColumn(column);
    if (!layout || before) return;
    for (const name of [...EXTRA_COLUMNS, ...WIDE_COLUMNS]) rows.removeColumn(websiteKey, day.day, name);
  }

  function* after(): Generator<() => void> {
    if (before) yield* removePieces(before.generation);
  }

  return { ahead: ahead(), generation: () => layout?.generation, write, after: after() };
}

/** In place of all that a day has. @param next undefined: nothing is left of it */
export function replaceDay(
  rows: DayRows,
  [websiteKey, day]: [websiteKey: number, day: number],
  next: DayWrite | undefined,
): DayWrite {
  const generation = () => next?.generation();
  return {
    ahead: next?.ahead ?? [],
    generation,
    write() {
      const kept = generation();
      rows.remove(websiteKey, day, kept && pieceNames(kept));
      next?.write();
    },
    after: [],
  };
}

/** Each column, cut at the ends, under a name of its own. */
function* packFurther(
  further: FurtherColumns,
  ends: readonly number[],
  nameOf: (piece: number, name: string) => string,
): Generator<PackedColumn> {
  const all = [
    ...EXTRA_COLUMNS.map((name) => ({ name, stretches: () => further.extra(name, ends) })),
    ...WIDE_COLUMNS.map((name) => ({ name, stretches: () => further.wide(name, ends) })),
  ];
  for (const { name, stretches } of all) {
    let piece = 0;
    for (const stretch of stretches()) {
      yield { name: nameOf(piece, name), data: packColumn(stretch) };
      piece += 1;
    }
  }
}

function packColumn(column: Uint32Array | Float64Array): Buffer {
  const bytes = encodeColumns([column]);
  giveBack(column);
  return compress(bytes);
}

/** Columns that few questions need shrink to a half; those of every question stay as they are, ready to be used. */
export function compress(bytes: Uint8Array): Buffer {
  const compressed = Bun.zstdCompressSync(bytes, { level: 3 });
  giveBack(new Uint8Array(bytes.buffer)); // there may be more of it than was packed
  return compressed;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
