import { giveBack } from '../garbage.ts';
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
    this.visitor = larger(this.visitor, Uint32Array);
    this.class = larger(this.class, Uint8Array);
    this.client = larger(this.client, Uint32Array);
    this.origin = larger(this.origin, Uint32Array);
    this.atMs = larger(this.atMs, Uint32Array);
    this.type = larger(this.type, Uint8Array);
    this.page = larger(this.page, Uint32Array);
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
    this.hostname = larger(this.hostname, Uint32Array);
    this.event = larger(this.event, Uint32Array);
    this.ordinal = larger(this.ordinal, Uint32Array);
    this.key = larger(this.key, Float64Array);
    this.session = larger(this.session, Float64Array);
  }
}

/** Twice as long; what it was is given back at once. */
function larger<Column extends Uint8Array | Uint32Array | Float64Array>(
  from: Column,
  type: new (length: number) => Column,
): Column {
  const to = new type(from.length * 2);
  to.set(from);
  giveBack(from);
  return to;
}

function bytesOf(columns: readonly ArrayBufferView[]): number {
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
