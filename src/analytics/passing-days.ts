import { type Day, sizeBytes } from './day.ts';
import { Slab } from './slab.ts';

/** The scan looks at a day and its neighbours at once. */
export const PASSING_DAYS = 3;
/** Memory that is kept for the days of the next scan: that of a day of a million events is not. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;

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

  drop(isMeant: (id: string) => boolean): void {
    for (const place of this.#places) if (place.id !== undefined && isMeant(place.id)) forget(place);
  }

  /** Few questions need these megabytes. */
  beginScan(): void {
    for (const place of this.#places) {
      if (!this.#isUsed || place.slab.bytes() > KEPT_BYTES_MAX) {
        forget(place);
        place.slab.free();
      }
      // What was added to it is in memory of its own.
      place.day?.extra.clear();
      place.day?.wide.clear();
      delete place.day?.exits;
    }
    this.#isUsed = false;
  }

  /** Of those that are too large to be kept. */
  largeBytes(): number {
    return this.#places
      .map(({ slab }) => slab.bytes())
      .filter((bytes) => bytes > KEPT_BYTES_MAX)
      .reduce((sum, bytes) => sum + bytes, 0);
  }

  #use(place: Place): void {
    this.#isUsed = true;
    this.#places.splice(this.#places.indexOf(place), 1);
    this.#places.push(place);
  }
}

function forget(place: Place): void {
  place.id = undefined;
  place.day = undefined;
}
