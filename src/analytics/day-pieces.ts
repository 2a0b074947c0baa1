import { decodeU32, encodeColumns, headCount, openColumns } from './column-codec.ts';
import type { Day } from './day.ts';

/**
 * A large day is stored in pieces of whole visits, rows of `day_columns`: to write or read a day of millions of events
 * takes as much memory, and holds the lock as long, as one of these. Its row of `day_blocks` says which pieces make the
 * day. Pieces are written ahead under a generation that the row does not name yet; what names it is one short commit.
 */
export type Layout = {
  generation: Generation;
  /** Of each piece. */
  visits: Uint32Array;
  events: Uint32Array;
};

/** They take turns. What a process that ended in the middle has left of the next one goes before that is written. */
export const GENERATIONS = [1, 2] as const;
export type Generation = (typeof GENERATIONS)[number];

/** A day of more than twice as many events is cut into pieces of about so many. */
export const PIECE_EVENTS = 50_000;

/** Names of pieces begin with this; see day-store for the others. */
export const PIECE_PREFIX = 'piece:';
/** From the first of these names up to, without, the first one after them. */
export const ALL_PIECES: [from: string, to: string] = [PIECE_PREFIX, 'piece;'];
/** The column of a piece that is what the block is to a smaller day. */
export const BLOCK = 'block';

const LAYOUT_COLUMNS = 3;

/** A day has no more pieces; those of a larger one are larger. */
const PIECES_MAX = 1_000;
/** A layout of so many is shorter; what is longer is a block. */
export const LAYOUT_BYTES_MAX = 16 * 1024;

/** Follows from the day alone. @returns undefined when it is not large */
export function cutDay(
  { visitCount, eventCount, first }: Pick<Day, 'visitCount' | 'eventCount' | 'first'>,
  pieceEvents: number,
) {
  if (eventCount <= 2 * pieceEvents) return undefined;
  const eventsMin = Math.max(pieceEvents, eventCount / PIECES_MAX);
  const visits: number[] = [];
  const events: number[] = [];
  let fromVisit = 0;
  for (let visit = 1; visit <= visitCount; visit += 1) {
    const count = (first[visit] as number) - (first[fromVisit] as number); // there is one more than there are visits
    if (count < eventsMin && visit < visitCount) continue;
    visits.push(visit - fromVisit);
    events.push(count);
    fromVisit = visit;
  }
  return { visits: Uint32Array.from(visits), events: Uint32Array.from(events) };
}

export function encodeLayout({ generation, visits, events }: Layout): Uint8Array {
  return encodeColumns([visits, events, Uint32Array.of(generation)]);
}

/** @returns undefined for the block of a day that is not in pieces */
export function decodeLayout(blob: Uint8Array): Layout | undefined {
  const bytes = openColumns(blob);
  if (headCount(bytes) !== LAYOUT_COLUMNS) return undefined;
  const [generation] = decodeU32(bytes, 2);
  return {
    generation: generation === 2 ? 2 : 1,
    visits: decodeU32(bytes, 0),
    events: decodeU32(bytes, 1),
  };
}

export function otherGeneration(generation: Generation | undefined): Generation {
  return generation === 1 ? 2 : 1;
}

/** Of all pieces of a generation: from the first of these names up to, without, the second. */
export function pieceNames(generation: Generation): [from: string, to: string] {
  return [`${PIECE_PREFIX}${generation}:`, `${PIECE_PREFIX}${generation};`];
}

export function pieceName(generation: Generation, piece: number, column: string): string {
  return `${PIECE_PREFIX}${generation}:${piece}:${column}`;
}

/** Where each one ends, counted from the first one's start. */
export function endsOf(counts: Uint32Array): number[] {
  let end = 0;
  return Array.from(counts, (count) => {
    end += count;
    return end;
  });
}

export function totalOf(counts: Uint32Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
