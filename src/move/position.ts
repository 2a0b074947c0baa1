import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogCursor } from '../log/event-pages.ts';

/** Where the next run continues a move. */
type MoveProgress = { cursor: LogCursor; copied: number };

/**
 * Progress of an unfinished move from one log to another, in a file of DATA_DIR.
 *
 * @param route names both
 */
export function createPositionFile(dataDir: string, route: string) {
  const path = join(dataDir, 'move.json');
  return {
    /** Reads the progress of this route. An unreadable one counts as missing: comparing everything again does no harm. */
    read(): MoveProgress | undefined {
      try {
        const { route: found, ...position } = JSON.parse(readFileSync(path, 'utf8')) as MoveProgress & {
          route: string;
        }; // as `write` has it
        return found === route ? position : undefined;
      } catch {
        return undefined;
      }
    },
    write(position: MoveProgress): void {
      writeFileSync(`${path}.partial`, JSON.stringify({ route, ...position }));
      renameSync(`${path}.partial`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

export type PositionFile = ReturnType<typeof createPositionFile>;
