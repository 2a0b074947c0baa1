import type { Selection } from './analytics.ts';
import type { LogReader } from './log-reader.ts';

/**
 * The log that the engine derives from. Two implementations: one in the same database as what is derived (upkeep), and
 * one on a server that other processes write to as well (remote-log).
 */
export type FollowedLog = LogReader & {
  /**
   * Takes in everything that was committed before the call: events, and what was removed.
   *
   * @returns false when there was so much that it is not done within about the patience; what was read stays
   */
  catchUp(patienceMs: number): Promise<boolean>;
  /** Finishes what a crash has cut off. To be called once, after the log was caught up with. */
  resume(): Promise<void>;
  /** Removes a visitor from the log and from what is derived. @returns how many events */
  erase(websiteKey: number, visitorId: string): Promise<number>;
  /** As Analytics.eraseSelected. @returns how many events are selected */
  eraseSelected(request: Selection & { eventsMax: number }): Promise<number>;
  /** As Analytics.forget. */
  forget(websiteKey: number, beforeMs: number | undefined): Promise<void>;
  /** Of one website or of all; catches up by itself. @returns how many events were read */
  rebuild(websiteKey: number | undefined): Promise<number>;
};
