import type { NewEvent, Outcome } from './event.ts';

/** Store of events, with two implementations: the embedded database and a ClickHouse server. */
export type EventLog = {
  /**
   * Writes the events in one transaction and returns after its commit.
   *
   * @returns what became of each event, in their order
   * @throws when the database refuses; then none of them is stored
   */
  append(events: readonly NewEvent[]): Outcome[] | Promise<Outcome[]>;
};

export const INSERT_COUNT_CONFLICT =
  'ON CONFLICT (website_key, type) DO UPDATE SET count = count + excluded.count';
