import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BeforeMigrating } from '../db/migrate.ts';
import type { Config } from '../settings/config.ts';
import { makeCopy } from './create.ts';
import { placeCopy, removeCopy, SCHEMA_COPY_NAME, schemaCopyName } from './files.ts';

const KEEP_MAX = 3;

/**
 * A new version cannot be undone by going back to the old one, which refuses the changed tables. So they are copied
 * before they change, always to this machine. `undefined` when the settings or the kind of database say so.
 */
export function copyBeforeMigration(config: Config, now: () => number): BeforeMigrating | undefined {
  const { database, backup } = config;
  if (database.kind !== 'file' || !backup.isMadeBeforeUpdate) return undefined;
  const directory = backup.localDir;
  return async ({ applied }) => {
    const name = schemaCopyName(applied, now());
    const path = join(directory, name);
    try {
      const { sha256 } = makeCopy(database.path, path, { pace: 'quick' }); // the service does not run yet
      placeCopy(path, sha256);
    } catch (error) {
      throw new Error(
        `this version changes its tables, and no copy could be made before: ${error instanceof Error ? error.message : error} ` +
          'Make room, or set BACKUP_BEFORE_UPDATE=off to continue without a copy.',
        { cause: error },
      );
    }
    removeOld(directory, name);
  };
}

function removeOld(directory: string, justMade: string): void {
  const old = readdirSync(directory)
    .filter((name) => SCHEMA_COPY_NAME.test(name) && name !== justMade)
    .sort((one, other) => stampOf(other).localeCompare(stampOf(one)))
    .slice(KEEP_MAX - 1);
  for (const name of old) removeCopy(join(directory, name));
}

function stampOf(name: string): string {
  return name.split('-').at(-1) ?? '';
}
