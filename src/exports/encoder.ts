import type { LoggedEvent } from '../log/event.ts';

/**
 * Writes events in one format, group by group. A file may end, and be continued, behind each group: each is compressed
 * on its own, and Parquet has them as row groups.
 */
export type Encoder = {
  begin(): Promise<Uint8Array>;
  encode(events: readonly LoggedEvent[]): Promise<Uint8Array>;
  end(): Promise<Uint8Array>;
  /** Returns the part of its state that continuing a file needs; a value that can be cloned. */
  state(): unknown;
};

/** Most events of a group, and about most characters: a group is in memory twice. */
export const GROUP_EVENTS = 10_000;
export const GROUP_CHARACTERS = 16 * 1024 * 1024;
