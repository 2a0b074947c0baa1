import type { LocalDatabase } from '../../../db/local-database.ts';

/** What the engine notes in `analytics_state`, by name. */
export const STATES = {
  /** The key of the log up to which events are in segments on disk. */
  checkpoint: 'checkpoint',
  /** The key of `removals` up to which they are done. */
  removals: 'removals',
  /** The number of the log that is followed. */
  log: 'followed log',
  /** Of the segments: see FORMAT. */
  format: 'format',
  /** Says nothing: a row to be written where a commit is all that is wanted. */
  synced: 'synced',
  /** Written by health checks alone. */
  probe: 'probe',
} as const;
/** With the key of a website: texts may be in use no more. The value is the removal that made it so. */
const VACUUM = 'vacuum ';

export type States = ReturnType<typeof createStates>;

/** The statements on `analytics_state`. */
export function createStates(database: LocalDatabase) {
  const read = database.prepare('SELECT value FROM analytics_state WHERE name = ?').raw();
  const write = database.prepare('INSERT OR REPLACE INTO analytics_state (name, value) VALUES (?, ?)');
  const clear = database.prepare('DELETE FROM analytics_state WHERE name = ? AND value = ?');
  const list = database
    .prepare('SELECT name, value FROM analytics_state WHERE name LIKE ? ORDER BY name')
    .raw();
  return {
    read: (name: string) => (read.all([name]) as [number][])[0]?.[0], // the column of the query; `get` would go on reading
    write: (name: string, value: number) => void write.run([name, value]),
    /** The websites whose texts are to be looked at. */
    vacuums: () =>
      (list.all([`${VACUUM}%`]) as [string, number][]).map(([name, mark]) => ({
        websiteKey: Number(name.slice(VACUUM.length)),
        mark,
      })),
    markVacuum: (websiteKey: number, removalKey: number) => void write.run([VACUUM + websiteKey, removalKey]),
    /** When no other removal has marked it since. */
    clearVacuum: (websiteKey: number, mark: number) => void clear.run([VACUUM + websiteKey, mark]),
  };
}

export function removalsFollowed(database: LocalDatabase): number {
  return createStates(database).read(STATES.removals) ?? 0;
}

export function hasVacuums(database: LocalDatabase): boolean {
  return createStates(database).vacuums().length > 0;
}
