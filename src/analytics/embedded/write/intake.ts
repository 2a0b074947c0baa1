import type { LogEvent } from '../../../log/follower.ts';
import { discardYoung } from '../../../process/garbage.ts';
import type { Websites } from './websites.ts';

/** Maximum bytes of waiting events, of all websites: about 8,192 events without properties. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** Approximate garbage of an event that was put into its segment: the event, its texts, intermediate objects. */
const EVENT_GARBAGE_BYTES = 2_000;
/** Additional garbage per character of its address, which is parsed. */
const URL_GARBAGE = 16;
/**
 * Events of a page of the log. Events with many properties take a hundred times as long as plain ones, so the page size
 * adapts.
 */
const PAGE_EVENTS = { min: 64, max: 2_000 };
/** Events that are ingested between two looks at the clock. */
const INGESTED_AT_ONCE = 64;
/** Maximum time for ingesting events of a page, because it blocks questions. */
const INGEST_MS_MAX = 50;

/** Hands events of the log to their websites, where they wait until a segment takes them. */
export class Intake {
  readonly #websites: Websites;
  #waitingBytes = 0;
  #taken = 0;
  #pageEvents = PAGE_EVENTS.max;

  constructor(websites: Websites) {
    this.#websites = websites;
  }

  /** Whether the waiting events should be put into segments before more are taken. */
  get isFull(): boolean {
    return this.#waitingBytes >= WAITING_BYTES_MAX;
  }

  /** Events taken since the start, or since `forget`. */
  get taken(): number {
    return this.#taken;
  }

  /** Size of the next page of the log. */
  get pageEvents(): number {
    return this.#pageEvents;
  }

  /** Counts bytes of events that no longer wait. */
  release(bytes: number): void {
    this.#waitingBytes -= bytes;
  }

  forget(): void {
    this.#waitingBytes = 0;
    this.#taken = 0;
  }

  /**
   * Takes events in their order until it has taken long enough, and adapts the size of the next page to that.
   *
   * @returns those that were taken; the others are to be read again
   */
  take(events: readonly LogEvent[]): readonly LogEvent[] {
    const startedMs = performance.now();
    let count = 0;
    while (count < events.length && performance.now() - startedMs < INGEST_MS_MAX) {
      this.#takeSome(events.slice(count, count + INGESTED_AT_ONCE));
      count = Math.min(count + INGESTED_AT_ONCE, events.length);
    }
    if (count < events.length) this.#pageEvents = Math.max(PAGE_EVENTS.min, count);
    else if (count >= this.#pageEvents) this.#pageEvents = Math.min(PAGE_EVENTS.max, 2 * this.#pageEvents);
    return events.slice(0, count);
  }

  #takeSome(events: readonly LogEvent[]): void {
    let garbageBytes = 0;
    for (const [websiteKey, own] of Map.groupBy(events, (event) => event.websiteKey)) {
      // After a crash, a website may be ahead of the checkpoint: it ingests only what it lacks.
      const website = this.#websites.get(websiteKey);
      const bytesBefore = website.waitingBytes;
      this.#taken += website.take(own);
      this.#waitingBytes += website.waitingBytes - bytesBefore;
    }
    for (const { url } of events) garbageBytes += EVENT_GARBAGE_BYTES + URL_GARBAGE * url.length;
    discardYoung(garbageBytes);
  }
}
