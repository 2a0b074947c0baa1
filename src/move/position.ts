import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../log/event-pages.ts';

/** How far a move has come, for the next run. */
type Position = { place: Place; copied: number };

/**
 * The position of an unfinished move from one log to another, in a file of DATA_DIR.
 *
 * @param route names both
 */
export function createPositionFile(dataDir: string, route: string) {
  const path = join(dataDir, 'move.json');
  return {
    /** Reads the position of this route. An unreadable one counts as missing: comparing everything again does no harm. */
    read(): Position | undefined {
      try {
        const { route: found, ...position } = JSON.parse(readFileSync(path, 'utf8')) as Position & {
          route: string;
        }; // as `write` has it
        return found === route ? position : undefined;
      } catch {
        return undefined;
      }
    },
    write(position: Position): void {
      writeFileSync(`${path}.partial`, JSON.stringify({ route, ...position }));
      renameSync(`${path}.partial`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

export type PositionFile = ReturnType<typeof createPositionFile>;
