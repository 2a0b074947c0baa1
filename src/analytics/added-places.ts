import { giveBack, longer } from '../garbage.ts';

const PLACES_MIN = 64;

/** Where in their day those events are that were added since it was stored; what is stored has kept its order between them. */
export class AddedPlaces {
  count = 0;
  /** Ascending. */
  event = new Uint32Array(PLACES_MIN);
  /** That of its further columns. */
  row = new Uint32Array(PLACES_MIN);

  /**
   * More events were added.
   *
   * @param order  the rows of the arrivals in theirs. @param places how many events of the day before are before each
   * @param firstRow that of the first arrival
   */
  insert({ order, places }: { order: Uint32Array; places: Uint32Array }, firstRow: number): void {
    this.#makeRoom(order.length);
    const { event, row } = this;
    let from = this.count - 1;
    let to = this.count + order.length - 1;
    // From the end, so that nothing is overwritten before it moved. Indexes are within their columns.
    for (let next = order.length - 1; next >= 0; next -= 1) {
      const place = places[next] as number;
      for (; from >= 0 && (event[from] as number) >= place; from -= 1, to -= 1) {
        event[to] = (event[from] as number) + next + 1;
        row[to] = row[from] as number;
      }
      event[to] = place + next;
      row[to] = firstRow + (order[next] as number);
      to -= 1;
    }
    this.count += order.length;
  }

  bytes(): number {
    return this.event.byteLength + this.row.byteLength;
  }

  /** What they took is given back. */
  clear(): void {
    giveBack(this.event);
    giveBack(this.row);
    this.count = 0;
    this.event = new Uint32Array(PLACES_MIN);
    this.row = new Uint32Array(PLACES_MIN);
  }

  #makeRoom(more: number): void {
    const needed = this.count + more;
    if (needed <= this.event.length) return;
    const length = Math.max(needed, this.event.length * 2);
    this.event = longer(this.event, length);
    this.row = longer(this.row, length);
  }
}
