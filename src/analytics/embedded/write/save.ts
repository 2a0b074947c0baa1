import type { LocalDatabase } from '../../../db/local-database.ts';
import { createQueue } from '../../../process/queue.ts';
import type { Pool } from '../memory/pool.ts';
import { createFlush } from './flush.ts';
import { STATES, type States } from './state.ts';
import { transact } from './transact.ts';
import { createVacuum } from './vacuum.ts';
import type { Website } from './website.ts';
import type { Websites } from './websites.ts';

const MIB = 1024 * 1024;
/** Maximum number of events that a second suffices to derive again after a crash. */
export const FEW_EVENTS = 8_192;
/**
 * Sizes at which unsaved data is written. A segment is written as a whole: for few events that is not worth it, unless they
 * are spread over many days.
 */
const UNSAVED_MAX = { segments: 16 * MIB, segmentsOfFewEvents: 32 * MIB, texts: 4 * MIB };
/**
 * Maximum wait of the reader. Then it reads another page and waits again: a timer of a minute would keep a finished process
 * alive.
 */
export const WAIT_MS_MAX = 1_000;

/** Writes derived data, one website at a time; questions run in between. */
export class Saver {
  /** Runs work while nothing is being written. */
  readonly exclusive = createQueue();
  /** Runs work while no text is removed: codes that are in no segment yet stay valid. */
  readonly keepingTexts = createQueue();
  readonly #database: LocalDatabase;
  readonly #websites: Websites;
  readonly #states: States;
  readonly #flush: ReturnType<typeof createFlush>;
  readonly #vacuum: (website: Website) => Promise<void>;
  #background: Promise<void> | undefined;

  constructor(database: LocalDatabase, websites: Websites, states: States, pool: Pool) {
    this.#database = database;
    this.#websites = websites;
    this.#states = states;
    this.#flush = createFlush(database, websites.segments, pool);
    this.#vacuum = createVacuum(database, pool);
  }

  flush(website: Website): Promise<void> {
    return this.#write(website, this.#flush.flush);
  }

  /** @param readUntil returns the log key up to which the log was read */
  async flushAll(readUntil: () => number): Promise<void> {
    await this.#writeEach(this.#flush.flush);
    await transact(this.#database, () => {
      const least = this.#websites
        .unsaved()
        .reduce((key, { firstUnsavedKey }) => Math.min(key, firstUnsavedKey ?? key), readUntil() + 1);
      this.#states.write(STATES.checkpoint, least - 1);
    });
    this.#websites.forgetIdle();
  }

  /**
   * Starts writing when unsaved data takes too much memory; questions do not wait. At twice that size, waits until it is
   * written or the deadline passes.
   *
   * @returns whether there is room to read on
   */
  async makeRoom(readUntil: () => number, deadlineMs: number): Promise<boolean> {
    const { segments, texts } = this.#unsavedShares();
    if (Math.max(segments, texts) <= 1) return true;
    const written = this.#inBackground(() =>
      segments > 1 ? this.flushAll(readUntil) : this.#writeEach(this.#flush.flushTexts),
    );
    if (Math.max(segments, texts) <= 2) return true;
    const leftMs = Math.min(deadlineMs - performance.now(), WAIT_MS_MAX);
    if (leftMs <= 0) return false;
    return Promise.race([written.then(() => true), Bun.sleep(leftMs).then(() => false)]);
  }

  /** Removes unused texts and visitors of websites with removals. */
  vacuum(): Promise<void> {
    return this.keepingTexts(() => this.#vacuumMarked());
  }

  #write(website: Website, work: (website: Website) => Promise<void>): Promise<void> {
    return this.exclusive(async () => {
      if (!website.isForgotten) await work(website);
    });
  }

  async #writeEach(work: (website: Website) => Promise<void>): Promise<void> {
    for (const { key } of this.#websites.unsaved()) {
      // It may have been saved or forgotten by now.
      const website = this.#websites.unsaved().find((unsaved) => unsaved.key === key);
      if (website) await this.#write(website, work);
    }
  }

  /** Rejects pending waits on failure, so that a reader does not loop forever. */
  #inBackground(work: () => Promise<void>): Promise<void> {
    this.#background ??= work().finally(() => {
      this.#background = undefined;
    });
    this.#background.catch(() => undefined); // there may be no waiter
    return this.#background;
  }

  /** Unsaved data as shares of its bounds. */
  #unsavedShares(): { segments: number; texts: number } {
    let events = 0;
    let segments = 0;
    let texts = 0;
    for (const website of this.#websites.unsaved()) {
      events += website.unsavedCount;
      texts += website.dictionaries.unsavedBytes;
      for (const segment of website.unsavedSegments()) segments += segment.bytes;
    }
    const segmentsMax = events < FEW_EVENTS ? UNSAVED_MAX.segmentsOfFewEvents : UNSAVED_MAX.segments;
    return { segments: segments / segmentsMax, texts: texts / UNSAVED_MAX.texts };
  }

  async #vacuumMarked(): Promise<void> {
    for (const { websiteKey, mark } of this.#states.vacuums()) {
      const website = this.#websites.get(websiteKey);
      website.forgetReader(); // its reader caches codes
      website.isHeld = true;
      try {
        await this.#vacuum(website);
        await this.flush(website);
      } finally {
        website.isHeld = false;
      }
      // Unless another removal was recorded in the meantime.
      await transact(this.#database, () => this.#states.clearVacuum(websiteKey, mark));
    }
  }
}
