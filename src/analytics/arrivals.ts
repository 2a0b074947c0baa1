import { giveBack, longer } from '../garbage.ts';
import type { PendingEvent } from './read-event.ts';

const ROWS_MIN = 64;

/** Events that wait to be merged into their day, in columns: as objects they kept the collector busy. */
export class Arrivals {
  count = 0;
  visitor = new Uint32Array(ROWS_MIN);
  class = new Uint8Array(ROWS_MIN);
  client = new Uint32Array(ROWS_MIN);
  origin = new Uint32Array(ROWS_MIN);
  /** Milliseconds since the start of the day. */
  atMs = new Uint32Array(ROWS_MIN);
  type = new Uint8Array(ROWS_MIN);
  page = new Uint32Array(ROWS_MIN);

  add(event: PendingEvent, startMs: number): void {
    if (this.count === this.visitor.length) this.#grow();
    const row = this.count;
    this.visitor[row] = event.visitor;
    this.class[row] = event.class;
    this.client[row] = event.client;
    this.origin[row] = event.origin;
    this.atMs[row] = event.createdAtMs - startMs;
    this.type[row] = event.type;
    this.page[row] = event.page;
    this.count += 1;
  }

  /** The rows in the order of a day: visitor, class, time, key. They came in the order of their keys. */
  sorted(): Uint32Array {
    const { visitor, class: classes, atMs } = this;
    const at = (column: ArrayLike<number>, row: number) => column[row] as number; // rows are below the count
    return Uint32Array.from({ length: this.count }, (_, row) => row).sort(
      (a, b) =>
        at(visitor, a) - at(visitor, b) ||
        at(classes, a) - at(classes, b) ||
        at(atMs, a) - at(atMs, b) ||
        a - b,
    );
  }

  /** Keeps its memory for those that come next. */
  clear(): void {
    this.count = 0;
  }

  bytes(): number {
    const { visitor, class: classes, client, origin, atMs, type, page } = this;
    return bytesOf([visitor, classes, client, origin, atMs, type, page]);
  }

  #grow(): void {
    const length = 2 * this.count;
    this.visitor = longer(this.visitor, length);
    this.class = longer(this.class, length);
    this.client = longer(this.client, length);
    this.origin = longer(this.origin, length);
    this.atMs = longer(this.atMs, length);
    this.type = longer(this.type, length);
    this.page = longer(this.page, length);
  }
}

/** The further columns of events that no block on disk has, in the order in which they came; they are never moved. */
export class AddedColumns {
  count = 0;
  hostname = new Uint32Array(ROWS_MIN);
  event = new Uint32Array(ROWS_MIN);
  ordinal = new Uint32Array(ROWS_MIN);
  key = new Float64Array(ROWS_MIN);
  session = new Float64Array(ROWS_MIN);

  /** @param ordinal see day-properties */
  add(event: PendingEvent, ordinal: number): void {
    if (this.count === this.key.length) this.#grow();
    const row = this.count;
    this.hostname[row] = event.hostname;
    this.event[row] = event.event;
    this.ordinal[row] = ordinal;
    this.key[row] = event.key;
    this.session[row] = event.session;
    this.count += 1;
  }

  bytes(): number {
    return bytesOf(this.#columns());
  }

  /** Nobody reads them any more. */
  free(): void {
    for (const column of this.#columns()) giveBack(column);
  }

  #columns() {
    const { hostname, event, ordinal, key, session } = this;
    return [hostname, event, ordinal, key, session];
  }

  #grow(): void {
    const length = 2 * this.count;
    this.hostname = longer(this.hostname, length);
    this.event = longer(this.event, length);
    this.ordinal = longer(this.ordinal, length);
    this.key = longer(this.key, length);
    this.session = longer(this.session, length);
  }
}

function bytesOf(columns: readonly ArrayBufferView[]): number {
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
