import { giveBack } from '../garbage.ts';

/** From so many rows on a column has room for more. */
const ROOMY_ROWS = 25_000;
/** For this part of them; what nothing was written to mostly takes no memory. */
const ROOM_SHARE = 1 / 4;

export type RoomyColumn = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/**
 * The columns of a day that grows, with room at the end of large ones: most times that events are added, what is there
 * only moves. What is given out is a view, good until the next one of its name.
 */
export class DayRoom {
  readonly #columns = new Map<string, RoomyColumn>();

  /** @param stored what it begins with: a view that was given out, or a column of its own, which is given back */
  u32(name: string, length: number, stored: Uint32Array): Uint32Array<ArrayBuffer> {
    return this.#take(name, length, stored, (size) => new Uint32Array(size)).subarray(0, length);
  }

  u8(name: string, length: number, stored: Uint8Array): Uint8Array<ArrayBuffer> {
    return this.#take(name, length, stored, (size) => new Uint8Array(size)).subarray(0, length);
  }

  free(): void {
    for (const column of this.#columns.values()) giveBack(column);
    this.#columns.clear();
  }

  #take<Own extends RoomyColumn>(
    name: string,
    length: number,
    stored: Uint8Array | Uint32Array,
    create: (size: number) => Own,
  ): Own {
    const known = this.#columns.get(name) as Own | undefined; // a name is always of the same kind
    if (known && known.length >= length && stored.buffer === known.buffer) return known;
    const column = create(length < ROOMY_ROWS ? length : Math.ceil(length * (1 + ROOM_SHARE)));
    column.set(stored);
    giveBack(stored.buffer === known?.buffer ? known : stored);
    this.#columns.set(name, column);
    return column;
  }
}

/** Rows that are moved one by one rather than as a stretch. */
const SHORT_ROWS = 16;

/** Moves the rows [from, to) of a column within it, up by so many, or down when it is negative. */
export function moveRows(column: RoomyColumn, from: number, to: number, by: number): void {
  // Rows are within the column, before and after.
  if (to - from > SHORT_ROWS) column.copyWithin(from + by, from, to);
  else if (by > 0) for (let row = to - 1; row >= from; row -= 1) column[row + by] = column[row] as number;
  else for (let row = from; row < to; row += 1) column[row + by] = column[row] as number;
}
