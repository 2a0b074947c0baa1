import type { LocalDatabase } from '../../../db/local-database.ts';
import type { LogFollower, LogPage, LogPosition, Removal } from '../../../log/follower.ts';
import { turn } from '../../../process/garbage.ts';
import type { Queue } from '../../../process/queue.ts';
import { MINUTE_MS } from '../../../vocabulary/durations.ts';
import type { Pool } from '../memory/pool.ts';
import { FORMAT } from '../segment/schema.ts';
import { type ApplyChange, createChange } from './change.ts';
import { Erasures } from './erasures.ts';
import { Intake } from './intake.ts';
import { PendingWrite } from './pending-write.ts';
import { createRefresh } from './refresh.ts';
import { firstStep, removeEvents } from './remove.ts';
import { LIMITS, type Limits } from './revise.ts';
import { Saver } from './save.ts';
import { createStates, STATES, type States } from './state.ts';
import { transact } from './transact.ts';
import type { Website } from './website.ts';
import type { Websites } from './websites.ts';

/**
 * Maximum time that a log may end before what was read of it: a replica may lag behind another. Beyond it, the log was
 * restored from a backup.
 */
const BEHIND_MS_MAX = MINUTE_MS;

export type FollowerParts = {
  database: LocalDatabase;
  log: LogFollower;
  websites: Websites;
  pool: Pool;
  limits?: Limits | undefined;
};

/**
 * Follows the log. Removals and events are read from one snapshot and removals are applied first: every event ingested
 * before a removal was visible preceded it in the log. So the removal deletes all of its events that were ingested, and
 * none that come later.
 */
export class Follower {
  readonly #database: LocalDatabase;
  readonly #log: LogFollower;
  readonly #websites: Websites;
  readonly #pool: Pool;
  readonly #states: States;
  readonly #saver: Saver;
  readonly #change: ApplyChange;
  readonly #erasures: Erasures;
  /** Pending write of removals. */
  readonly #pending = new PendingWrite();
  readonly #intake: Intake;
  readonly #refresh: (inTurn: Queue) => Promise<boolean>;
  #readUntil: number;
  #behindSinceMs: number | undefined;

  constructor({ database, log, websites, pool, limits = LIMITS }: FollowerParts) {
    this.#database = database;
    this.#log = log;
    this.#websites = websites;
    this.#pool = pool;
    this.#states = createStates(database);
    this.#saver = new Saver(database, websites, this.#states, pool);
    this.#change = createChange(log, pool, limits);
    this.#erasures = new Erasures(log);
    this.#intake = new Intake(websites);
    this.#refresh = createRefresh({
      database,
      log,
      websites,
      pool,
      states: this.#states,
      saver: this.#saver,
      change: this.#change,
      applyWaiting: (website) => this.#applyWaiting([website], Number.POSITIVE_INFINITY),
    });
    this.#readUntil = this.#states.read(STATES.checkpoint) ?? 0;
  }

  /**
   * Ingests everything that was committed to the log before the call: events and removals.
   *
   * @param websiteKey restricts to events of this website; the rest is read later
   * @returns false when it was not done within about `patienceMs`; what was read stays
   */
  async catchUp(patienceMs: number, websiteKey?: number): Promise<boolean> {
    for (const deadlineMs = performance.now() + patienceMs; ; ) {
      if (await this.#takePage(deadlineMs, websiteKey)) return true;
      await turn(); // also after the last page of a time slice, to receive waiting questions
      if (performance.now() > deadlineMs) return false;
    }
  }

  /** Returns a website with everything ingested. */
  website(websiteKey: number): Website {
    return this.#websites.get(websiteKey);
  }

  /** Writes what is not on disk. */
  flush(): Promise<void> {
    return this.#saver.flushAll(() => this.#readUntil);
  }

  /** Orders an erasure and carries it out. If that fails half-way, following the log completes it. */
  erase(websiteKey: number, keys: readonly number[]): Promise<void> {
    return this.#erasures.erase(websiteKey, keys);
  }

  /** Deletes everything derived, so that catching up derives it again. */
  async reset(): Promise<void> {
    const end = Number.MAX_SAFE_INTEGER;
    await this.#reset(await this.#log.read({ eventKey: end, removalKey: end }));
  }

  /** Removes unused texts and visitors of websites with removals. */
  vacuum(): Promise<void> {
    return this.#saver.vacuum();
  }

  /**
   * Derives some segments of earlier rules again.
   *
   * @param inTurn runs work between questions
   * @returns whether none is left
   */
  refresh(inTurn: Queue): Promise<boolean> {
    return this.#refresh(inTurn);
  }

  /** Counts the events that are in no segment on disk. */
  unsavedCount(): number {
    return this.#websites.unsaved().reduce((sum, { unsavedCount }) => sum + unsavedCount, 0);
  }

  /** Returns the key of the last event read, of any website. */
  readUntil(): number {
    return this.#readUntil;
  }

  /** Counts the events ingested since the start, or since `reset`. */
  ingestedCount(): number {
    return this.#intake.taken;
  }

  /**
   * Processes the next page of the log, in this order: checks whether the log was replaced or is behind; continues an own
   * erasure; applies removals; ingests events; writes what is large. A separate function, so that no reference to the page
   * outlives it.
   *
   * @returns false when there is more
   */
  async #takePage(deadlineMs: number, websiteKey: number | undefined): Promise<boolean> {
    // A question reads its own website's events in any case, and waits for room afterwards.
    if (websiteKey === undefined && !(await this.#saver.makeRoom(() => this.#readUntil, deadlineMs)))
      return false;
    if (websiteKey === undefined && this.#intake.isFull) {
      this.#pool.begin();
      if (!(await this.#applyWaiting(this.#unsaved(), deadlineMs))) return false;
    }
    const removed = this.#states.read(STATES.removals) ?? 0;
    const { ownCount } = this.#erasures;
    const page = await this.#log.read(this.#positionOf(websiteKey, removed));
    const isBehind = page.newestEventKey < this.#readUntil || page.newestRemovalKey < removed;
    if (this.#isOther(page, removed) || this.#isRestored(isBehind)) {
      await this.#reset(page);
      return false;
    }
    if (isBehind) return true;
    if (page.firstErasure !== undefined && this.#erasures.isOurs(page.firstErasure)) {
      if (!this.#pending.isThere) this.#pending.begin(() => this.#log.carryOutErasures(deadlineMs));
      await this.#pending.isDone(deadlineMs);
      return false;
    }
    if (websiteKey === undefined && page.firstErasure === undefined) this.#erasures.recordNone(ownCount);
    this.#pool.begin();
    if (!page.hasAllRemovals || page.removals.some((removal) => isOf(removal, websiteKey))) {
      const isDone = await this.#applyRemovals(page.removals, deadlineMs);
      if (!isDone || !page.hasAllRemovals) return false;
    }
    const events = this.#intake.take(page.events);
    const isLast = page.isLast && events.length === page.events.length;
    if (websiteKey === undefined) this.#readUntil = events.at(-1)?.key ?? this.#readUntil;
    else if (isLast) this.#websites.get(websiteKey).skipTo(page.newestEventKey);
    let isApplied = true;
    if (isLast || this.#intake.isFull)
      isApplied = await this.#applyWaiting(this.#unsaved(websiteKey), deadlineMs);
    if (events.length > 0 && websiteKey !== undefined)
      await this.#saver.makeRoom(() => this.#readUntil, deadlineMs);
    return isLast && isApplied;
  }

  /** Returns where to read on. A website may be ahead of the others. */
  #positionOf(websiteKey: number | undefined, removalKey: number): LogPosition {
    const eventsMax = this.#intake.pageEvents;
    if (websiteKey === undefined) return { eventKey: this.#readUntil, removalKey, eventsMax };
    const { takenUntil } = this.#websites.get(websiteKey);
    return { eventKey: Math.max(this.#readUntil, takenUntil), removalKey, websiteKey, eventsMax };
  }

  /** Whether the derived data belongs to another log or format, or is older than the oldest removal on record. */
  #isOther({ logId, newestRemovalKey, oldestRemovalKey }: LogPage, removed: number): boolean {
    return (
      this.#states.read(STATES.log) !== logId ||
      this.#states.read(STATES.format) !== FORMAT ||
      (newestRemovalKey > removed && (oldestRemovalKey ?? Number.POSITIVE_INFINITY) > removed + 1)
    );
  }

  #isRestored(isBehind: boolean): boolean {
    this.#behindSinceMs = isBehind ? (this.#behindSinceMs ?? performance.now()) : undefined;
    return performance.now() - (this.#behindSinceMs ?? performance.now()) > BEHIND_MS_MAX;
  }

  async #reset(page: Pick<LogPage, 'logId' | 'newestRemovalKey'>): Promise<void> {
    await this.#pending.ended();
    const empty = () => {
      for (const table of ['segments', 'segment_parts', 'terms', 'visitors', 'website_states'])
        this.#database.exec(`DELETE FROM ${table}`);
      this.#states.write(STATES.checkpoint, 0);
      this.#states.write(STATES.removals, page.newestRemovalKey);
      this.#states.write(STATES.log, page.logId);
      this.#states.write(STATES.format, FORMAT);
    };
    const forget = () => {
      this.#websites.forget();
      this.#readUntil = 0;
      this.#intake.forget();
    };
    await this.#saver.exclusive(() => transact(this.#database, empty, forget)); // memory is cleared after the commit
  }

  #unsaved(websiteKey?: number): Website[] {
    return websiteKey === undefined ? this.#websites.unsaved() : [this.#websites.get(websiteKey)];
  }

  /**
   * Puts waiting events into segments, one website after the other: those of one are put there as a whole.
   *
   * @returns whether none is left waiting when the deadline comes
   */
  async #applyWaiting(websites: readonly Website[], deadlineMs: number): Promise<boolean> {
    let isLate = false;
    for (const website of websites) {
      if (website.waiting.length === 0) continue;
      if (isLate) return false;
      const bytesBefore = website.waitingBytes;
      await this.#change(website, { add: website.waiting });
      this.#intake.release(bytesBefore - website.waitingBytes);
      isLate = performance.now() > deadlineMs;
    }
    return true;
  }

  /** @returns whether all removals were applied before the deadline */
  async #applyRemovals(removals: readonly Removal[], deadlineMs: number): Promise<boolean> {
    let done = 0;
    while (await this.#pending.isDone(deadlineMs)) {
      if (done === removals.length) return true;
      if (done > 0 && performance.now() > deadlineMs) return false;
      const { websiteKey } = removals[done] as Removal;
      const website = this.#websites.get(websiteKey);
      await this.#applyWaiting([website], Number.POSITIVE_INFINITY);
      const some = firstStep(website, removals.slice(done));
      await removeEvents(website, some, this.#pool, this.#change);
      done += some.length;
      const { key } = removals[done - 1] as Removal;
      this.#pending.begin(async () => {
        if (website.hasRemoved) await this.#saver.flush(website);
        await transact(this.#database, () => {
          this.#states.write(STATES.removals, key);
          this.#states.markVacuum(websiteKey, key);
        });
      });
    }
    return false;
  }
}

function isOf(removal: Removal, websiteKey: number | undefined): boolean {
  return websiteKey === undefined || removal.websiteKey === websiteKey;
}
