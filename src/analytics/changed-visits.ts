import type { Arrivals } from './arrivals.ts';
import type { Day } from './day.ts';
import { moveRows, type RoomyColumn } from './day-room.ts';
import { VISIT_GAP_MS } from './vocabulary.ts';

/**
 * What becomes of the visits of a day when events are added: those of an owner (visitor and class) to whom some belong
 * are made anew, the others only move. An owner's visits stand together, and so do the arrivals.
 */
export class ChangedVisits {
  /** Of each arrival, in their order: how many stored events are before it. */
  readonly places: Uint32Array;
  /** Of the visits that are made anew, of one owner after the other; `first` counts events as they will be. */
  readonly visitor: Uint32Array;
  readonly class: Uint8Array;
  readonly client: Uint32Array;
  readonly origin: Uint32Array;
  readonly first: Uint32Array;
  /** By owner: the visits that are replaced. */
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  /** By owner, and one more: how many arrivals and visits made are of those before, and how far these move the others. */
  readonly #arrivalsFrom: Uint32Array;
  readonly #madeFrom: Uint32Array;
  readonly #shift: Int32Array;
  readonly #visitCount: number;
  #owners = 0;
  #made = 0;
  #lastAtMs = Number.NEGATIVE_INFINITY;

  /** @param rows those of the arrivals in the order of a day */
  constructor(day: Day, arrivals: Arrivals, rows: Uint32Array) {
    this.#visitCount = day.visitCount;
    this.places = new Uint32Array(rows.length);
    this.#from = new Uint32Array(rows.length);
    this.#to = new Uint32Array(rows.length);
    this.#arrivalsFrom = new Uint32Array(rows.length + 1);
    this.#madeFrom = new Uint32Array(rows.length + 1);
    this.#shift = new Int32Array(rows.length + 1);
    const madeMax = this.#findOwners(day, arrivals, rows);
    this.visitor = new Uint32Array(madeMax);
    this.class = new Uint8Array(madeMax);
    this.client = new Uint32Array(madeMax);
    this.origin = new Uint32Array(madeMax);
    this.first = new Uint32Array(madeMax);
    for (let owner = 0; owner < this.#owners; owner += 1) {
      this.#mergeOwner(owner, day, arrivals, rows);
      this.#madeFrom[owner + 1] = this.#made;
      const replaced = (this.#to[owner] as number) - (this.#from[owner] as number); // there are so many owners
      this.#shift[owner + 1] = this.#shift[owner] as number;
      (this.#shift[owner + 1] as number) += this.#madeBy(owner) - replaced;
    }
  }

  /** How many visits the day will have. */
  visitCount(): number {
    return this.#visitCount + (this.#shift[this.#owners] as number); // it has one more than there are owners
  }

  /**
   * Makes room in a column of visits for those that were made anew. What moves up begins with the last one, so that
   * nothing is overwritten before it moved.
   *
   * @param column long enough for the visits before and after; those before are at its beginning
   */
  move<Column extends RoomyColumn>(column: Column): Column {
    // Owners and visits are within their columns, as below.
    for (let owner = 0; owner < this.#owners; owner += 1) {
      const by = this.#shift[owner + 1] as number;
      if (by < 0) moveRows(column, this.#to[owner] as number, this.#nextFrom(owner), by);
    }
    for (let owner = this.#owners - 1; owner >= 0; owner -= 1) {
      const by = this.#shift[owner + 1] as number;
      if (by > 0) moveRows(column, this.#to[owner] as number, this.#nextFrom(owner), by);
    }
    return column;
  }

  /** Moves, and puts those in between. @param made one of the columns above */
  replace<Column extends RoomyColumn>(column: Column, made: Uint8Array | Uint32Array): Column {
    this.move(column);
    this.eachMade((from, to, madeFrom) => {
      for (let visit = from; visit < to; visit += 1) column[visit] = made[madeFrom + visit - from] as number;
    });
    return column;
  }

  /** As `replace`, of the column that says where the events of a visit begin. @param events how many there will be */
  replaceFirst(first: Uint32Array<ArrayBuffer>, events: number): Uint32Array<ArrayBuffer> {
    this.replace(first, this.first);
    for (let owner = 0; owner < this.#owners; owner += 1) {
      const by = this.#shift[owner + 1] as number;
      const more = this.#arrivalsFrom[owner + 1] as number;
      const end = this.#nextFrom(owner) + by;
      for (let visit = (this.#to[owner] as number) + by; visit < end; visit += 1)
        (first[visit] as number) += more;
    }
    first[this.visitCount()] = events;
    return first;
  }

  /** The visits that were made anew, as they stand in the day afterwards, and the first of them in the columns above. */
  eachMade(tell: (from: number, to: number, madeFrom: number) => void): void {
    for (let owner = 0; owner < this.#owners; owner += 1) {
      const from = (this.#from[owner] as number) + (this.#shift[owner] as number);
      tell(from, from + this.#madeBy(owner), this.#madeFrom[owner] as number);
    }
  }

  #madeBy(owner: number): number {
    return (this.#madeFrom[owner + 1] as number) - (this.#madeFrom[owner] as number);
  }

  /** Where the visits end that stay after an owner's. */
  #nextFrom(owner: number): number {
    return owner + 1 < this.#owners ? (this.#from[owner + 1] as number) : this.#visitCount;
  }

  /** @returns how many visits may be made anew: each arrival could begin one */
  #findOwners(day: Day, arrivals: Arrivals, rows: Uint32Array): number {
    let visit = 0;
    let most = rows.length;
    for (let next = 0; next < rows.length; ) {
      const row = rows[next] as number;
      visit = firstVisitFrom(day, visit, arrivals, row);
      this.#from[this.#owners] = visit;
      while (visit < day.visitCount && compareOwner(day, visit, arrivals, row) === 0) visit += 1;
      this.#to[this.#owners] = visit;
      most += visit - (this.#from[this.#owners] as number);
      while (next < rows.length && isSameOwner(arrivals, row, rows[next] as number)) next += 1;
      this.#owners += 1;
      this.#arrivalsFrom[this.#owners] = next;
    }
    return most;
  }

  /** Two lists of one owner's events, each in the order of (time, key), become one, cut anew where it pauses. */
  #mergeOwner(owner: number, day: Day, arrivals: Arrivals, rows: Uint32Array): void {
    const toNext = this.#arrivalsFrom[owner + 1] as number;
    const toEvent = day.first[this.#to[owner] as number] as number; // it has one more than there are visits
    let next = this.#arrivalsFrom[owner] as number;
    let visit = this.#from[owner] as number;
    let event = day.first[visit] as number;
    this.#lastAtMs = Number.NEGATIVE_INFINITY;
    while (event < toEvent || next < toNext) {
      const row = rows[next] as number; // or one past the owner's
      const isStored =
        event < toEvent && (next === toNext || (day.atMs[event] as number) <= (arrivals.atMs[row] as number));
      const from = isStored ? day : arrivals;
      if (isStored) while (event >= (day.first[visit + 1] as number)) visit += 1;
      if (this.#isPause(from.atMs[isStored ? event : row] as number))
        this.#begin(from, isStored ? visit : row, event + next);
      if (isStored) event += 1;
      else {
        this.places[next] = event;
        next += 1;
      }
    }
  }

  /** Before the owner's first event, too. */
  #isPause(atMs: number): boolean {
    const isPause = atMs - this.#lastAtMs > VISIT_GAP_MS;
    this.#lastAtMs = atMs;
    return isPause;
  }

  #begin(from: Pick<Day, 'visitor' | 'class' | 'client' | 'origin'>, row: number, event: number): void {
    this.visitor[this.#made] = from.visitor[row] as number;
    this.class[this.#made] = from.class[row] as number;
    this.client[this.#made] = from.client[row] as number;
    this.origin[this.#made] = from.origin[row] as number;
    this.first[this.#made] = event;
    this.#made += 1;
  }
}

/** Whose events come first: negative when the visit's owner does. */
function compareOwner(day: Day, visit: number, arrivals: Arrivals, row: number): number {
  // Within the columns.
  return (
    (day.visitor[visit] as number) - (arrivals.visitor[row] as number) ||
    (day.class[visit] as number) - (arrivals.class[row] as number)
  );
}

function isSameOwner(arrivals: Arrivals, one: number, other: number): boolean {
  return arrivals.visitor[one] === arrivals.visitor[other] && arrivals.class[one] === arrivals.class[other];
}

/** The first visit at or after `from` whose owner is not before the arrival's. */
function firstVisitFrom(day: Day, from: number, arrivals: Arrivals, row: number): number {
  let low = from;
  let high = day.visitCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareOwner(day, middle, arrivals, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
