import type { LocalDatabase } from '../../db/local-database.ts';
import { FORMAT, PARTS } from './segment/schema.ts';
import type { Segment } from './segment/segment.ts';
import { createSegmentStore } from './segment/store.ts';
import { createStates, STATES } from './write/state.ts';

export { isOutdated } from './write/state.ts';

export type Examination = {
  /** Key of the last event read from the log. */
  checkpoint: number;
  /** Key of the last removal applied. */
  removals: number;
  websites: { websiteKey: number; takenUntil: number; events: number; faults: string[] }[];
};

/** Returns the followed log, and the key up to which its events are in segments on disk. */
export function readPosition(database: LocalDatabase): { log: number; checkpoint: number } {
  const states = createStates(database);
  return { log: states.read(STATES.log) ?? 0, checkpoint: states.read(STATES.checkpoint) ?? 0 };
}

/** Writes a row without meaning, to find out whether the database accepts writes. */
export function writeProbe(database: LocalDatabase, value: number): void {
  createStates(database).write(STATES.probe, value);
}

export function readProbe(database: LocalDatabase): number | undefined {
  return createStates(database).read(STATES.probe);
}

/** Reads every segment and counts its contents. Segments of another format are skipped, as they are derived again. */
export function examineSegments(database: LocalDatabase): Examination {
  const states = createStates(database);
  if (states.read(STATES.format) !== FORMAT) return { checkpoint: 0, removals: 0, websites: [] };
  const store = createSegmentStore(database);
  const rows = database
    .prepare('SELECT website_key, taken_until FROM website_states ORDER BY website_key')
    .raw()
    .all() as [websiteKey: number, takenUntil: number][]; // the columns that it selects
  return {
    checkpoint: states.read(STATES.checkpoint) ?? 0,
    removals: states.read(STATES.removals) ?? 0,
    websites: rows.map(([websiteKey, takenUntil]) => {
      const segments = store.list(websiteKey);
      const events = segments.reduce((sum, { eventCount }) => sum + eventCount, 0);
      return { websiteKey, takenUntil, events, faults: segments.flatMap(findFaults) };
    }),
  };
}

function findFaults(segment: Segment): string[] {
  const { id, header } = segment;
  try {
    for (const columns of Object.values(PARTS)) for (const name of columns) segment.kept(name);
    segment.codes('page');
    segment.properties();
    const held = segment.column('key').length;
    segment.drop();
    if (held !== header.eventCount)
      return [`segment ${id} holds ${held} instead of ${header.eventCount} events`];
    return [];
  } catch (error) {
    return [`segment ${id} cannot be read: ${error instanceof Error ? error.message : error}`];
  }
}
