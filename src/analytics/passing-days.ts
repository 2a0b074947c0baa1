import { type Day, sizeBytes } from './day.ts';
import { SLAB_KEPT_BYTES_MAX, Slab } from './slab.ts';

/** The scan looks at a day and its neighbours at once. */
export const PASSING_DAYS = 3;

type Place = { slab: Slab; id?: string | undefined; day?: Day | undefined };

/**
 * The last days that did not fit into the cache, each in memory that the PASSING_DAYS-th one after it takes over. Few
 * are still there when the next scan asks for them; without any, a website that is a day too large would be unpacked
 * a little with each question.
 */
export class PassingDays {
  /** The one that was used last is the last. */
  readonly #places: Place[] = Array.from({ length: PASSING_DAYS }, () => ({ slab: new Slab() }));
  #isUsed = false;

  get(id: string): Day | undefined {
    const place = this.#places.find((one) => one.id === id);
    if (place) this.#use(place);
    return place?.day;
  }

  /** What the day takes that `get` would return; 0 without one. */
  sizeBytes(id: string): number {
    const day = this.#places.find((one) => one.id === id)?.day;
    return day ? sizeBytes(day) : 0;
  }

  /** Memory for the next one, which is to be told of by `put` when it is there. */
  begin(bytes: number): Slab {
    const place = this.#places[0] as Place; // there are PASSING_DAYS of them
    this.#use(place);
    forget(place);
    place.slab.begin(bytes);
    return place.slab;
  }

  put(id: string, day: Day): void {
    Object.assign(this.#places.at(-1) as Place, { id, day });
  }

  /** It is kept from now on; whoever has it may go on reading it. */
  leave(id: string): void {
    for (const place of this.#places) if (place.id === id) forget(place);
  }

  /** They have changed. Between scans. */
  drop(isMeant: (id: string) => boolean): void {
    for (const place of this.#places) {
      if (place.id === undefined || !isMeant(place.id)) continue;
      forget(place);
      if (isLarge(place)) place.slab.free();
    }
  }

  /** Few questions need these megabytes. */
  beginScan(): void {
    for (const place of this.#places) {
      if (!this.#isUsed || isLarge(place)) {
        forget(place);
        place.slab.free();
      }
      // What was added to it is in memory of its own.
      place.day?.extra.clear();
      place.day?.wide.clear();
      if (place.day?.exits) place.day.exits = undefined;
    }
    this.#isUsed = false;
  }

  /** Of those that are too large to be kept. */
  largeBytes(): number {
    return this.#places.filter(isLarge).reduce((sum, { slab }) => sum + slab.bytes(), 0);
  }

  #use(place: Place): void {
    this.#isUsed = true;
    this.#places.splice(this.#places.indexOf(place), 1);
    this.#places.push(place);
  }
}

function isLarge({ slab }: Place): boolean {
  return slab.bytes() > SLAB_KEPT_BYTES_MAX;
}

function forget(place: Place): void {
  place.id = undefined;
  place.day = undefined;
}
