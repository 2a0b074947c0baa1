import type { PendingEvent } from './read-event.ts';

const ROWS_MIN = 64;
/** What a row takes in memory. */
const ROW_BYTES = 50;

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
  hostname = new Uint32Array(ROWS_MIN);
  event = new Uint32Array(ROWS_MIN);
  ordinal = new Uint32Array(ROWS_MIN);
  key = new Float64Array(ROWS_MIN);
  session = new Float64Array(ROWS_MIN);

  /** @param ordinal see day-properties */
  add(event: PendingEvent, startMs: number, ordinal: number): void {
    if (this.count === this.visitor.length) this.#grow();
    const row = this.count;
    this.visitor[row] = event.visitor;
    this.class[row] = event.class;
    this.client[row] = event.client;
    this.origin[row] = event.origin;
    this.atMs[row] = event.createdAtMs - startMs;
    this.type[row] = event.type;
    this.page[row] = event.page;
    this.hostname[row] = event.hostname;
    this.event[row] = event.event;
    this.ordinal[row] = ordinal;
    this.key[row] = event.key;
    this.session[row] = event.session;
    this.count += 1;
  }

  /** The rows in the order of a day: visitor, class, time, key. */
  sorted(): Uint32Array {
    const { visitor, class: classes, atMs, key } = this;
    const at = (column: ArrayLike<number>, row: number) => column[row] as number; // rows are below the count
    return Uint32Array.from({ length: this.count }, (_, row) => row).sort(
      (a, b) =>
        at(visitor, a) - at(visitor, b) ||
        at(classes, a) - at(classes, b) ||
        at(atMs, a) - at(atMs, b) ||
        at(key, a) - at(key, b),
    );
  }

  bytes(): number {
    return this.visitor.length * ROW_BYTES;
  }

  #grow(): void {
    const rows = this.visitor.length * 2;
    this.visitor = larger(this.visitor, new Uint32Array(rows));
    this.class = larger(this.class, new Uint8Array(rows));
    this.client = larger(this.client, new Uint32Array(rows));
    this.origin = larger(this.origin, new Uint32Array(rows));
    this.atMs = larger(this.atMs, new Uint32Array(rows));
    this.type = larger(this.type, new Uint8Array(rows));
    this.page = larger(this.page, new Uint32Array(rows));
    this.hostname = larger(this.hostname, new Uint32Array(rows));
    this.event = larger(this.event, new Uint32Array(rows));
    this.ordinal = larger(this.ordinal, new Uint32Array(rows));
    this.key = larger(this.key, new Float64Array(rows));
    this.session = larger(this.session, new Float64Array(rows));
  }
}

function larger<Column extends Uint8Array | Uint32Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
