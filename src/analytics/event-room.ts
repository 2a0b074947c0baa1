import { giveBack } from '../garbage.ts';

/** From so many events on a day has room for more. */
const ROOMY_EVENTS = 50_000;
/** For this part of them; what nothing was written to mostly takes no memory. */
const ROOM_SHARE = 1 / 4;

type Column = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/**
 * The columns of events of a day that grows, with room at the end of large ones: most times that events are added, the
 * others only move. What is given out is a view as long as the day, and good until the next one of its name.
 */
export class EventRoom {
  readonly #columns = new Map<string, Column>();

  /** @param stored what it begins with: a view that was given out, or a column of its own, which is given back */
  u32(name: string, length: number, stored: Uint32Array | undefined): Uint32Array {
    return this.#take(name, length, stored, (size) => new Uint32Array(size)).subarray(0, length);
  }

  u8(name: string, length: number, stored: Uint8Array | undefined): Uint8Array {
    return this.#take(name, length, stored, (size) => new Uint8Array(size)).subarray(0, length);
  }

  /** Nobody reads it any more. */
  drop(name: string): void {
    const column = this.#columns.get(name);
    if (column) giveBack(column);
    this.#columns.delete(name);
  }

  free(): void {
    for (const name of [...this.#columns.keys()]) this.drop(name);
  }

  #take<Own extends Column>(
    name: string,
    length: number,
    stored: Uint8Array | Uint32Array | undefined,
    create: (size: number) => Own,
  ): Own {
    const known = this.#columns.get(name) as Own | undefined; // a name is always of the same kind
    if (known && known.length >= length && (!stored || stored.buffer === known.buffer)) return known;
    const column = create(length < ROOMY_EVENTS ? length : Math.ceil(length * (1 + ROOM_SHARE)));
    if (stored) column.set(stored);
    if (known) giveBack(known);
    if (stored && stored.buffer !== known?.buffer) giveBack(stored);
    this.#columns.set(name, column);
    return column;
  }
}
