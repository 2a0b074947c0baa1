import type { LocalDatabase } from '../../../db/local-database.ts';
import { FORMAT, RULES } from '../segment/schema.ts';

/** Names of the values that the engine keeps in `analytics_state`. */
export const STATES = {
  /** Log key up to which events are in segments on disk. */
  checkpoint: 'checkpoint',
  /** Key of `removals` up to which removals were applied. */
  removals: 'removals',
  /** Number of the followed log. */
  log: 'followed log',
  /** Format of the segments; see FORMAT. */
  format: 'format',
  /** Has no meaning: a row to write where only a commit is wanted. */
  synced: 'synced',
  /** Written only by health checks. */
  probe: 'probe',
} as const;
/** Prefix of a website's key: its texts may be unused. The value is the removal that made them so. */
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
    read: (name: string) => (read.all([name]) as [number][])[0]?.[0], // `get` would leave the statement open
    write: (name: string, value: number) => void write.run([name, value]),
    /** Lists the websites whose texts need a vacuum. */
    vacuums: () =>
      (list.all([`${VACUUM}%`]) as [string, number][]).map(([name, mark]) => ({
        websiteKey: Number(name.slice(VACUUM.length)),
        mark,
      })),
    markVacuum: (websiteKey: number, removalKey: number) => void write.run([VACUUM + websiteKey, removalKey]),
    /** Clears the mark unless a later removal has replaced it. */
    clearVacuum: (websiteKey: number, mark: number) => void clear.run([VACUUM + websiteKey, mark]),
  };
}

export function removalsFollowed(database: LocalDatabase): number {
  return createStates(database).read(STATES.removals) ?? 0;
}

/** Whether an earlier version derived segments, in another format or by other rules. */
export function isOutdated(database: LocalDatabase): boolean {
  const isOtherFormat = (createStates(database).read(STATES.format) ?? FORMAT) !== FORMAT;
  return isOtherFormat || createFindOutdated(database)() !== undefined;
}

/** Returns a function that finds the website with the newest segment of earlier rules on disk. */
export function createFindOutdated(database: LocalDatabase): () => number | undefined {
  const find = database
    .prepare('SELECT website_key FROM segments WHERE rules < ? ORDER BY day DESC LIMIT 1')
    .raw();
  return () => (find.all([RULES]) as [number][])[0]?.[0]; // the column that it selects
}

export function hasVacuums(database: LocalDatabase): boolean {
  return createStates(database).vacuums().length > 0;
}
