import { dirname } from 'node:path';
import { copyBeforeMigration } from '../backup/before-migration.ts';
import { whatIsAt } from '../backup/files.ts';
import { type DatabaseTarget, parseConfig } from '../config.ts';
import { requireWritable } from '../data-directory.ts';
import { openDatabase } from '../db/open.ts';
import type { DatabaseCommand, FileCommand, Io } from './command.ts';
import { readPassword } from './read-password.ts';

const io: Io = { print: (line) => console.log(line), readPassword };

export function runOnFiles(command: FileCommand): Promise<0 | 1> {
  return command(readSettings, io);
}

export async function runOnDatabase(command: DatabaseCommand): Promise<0> {
  const { config, secrets } = readSettings();
  requireExisting(config.database);
  if (config.database.kind === 'file') requireWritable(dirname(config.database.path));
  const database = await openDatabase(config.database, config.durability, {
    beforeMigrating: copyBeforeMigration(config, Date.now),
  });
  await command({ database, config, secrets }, io).finally(() => database.close());
  return 0;
}

function readSettings() {
  return parseConfig(process.env, process.cwd());
}

/** Opening would make an empty database of a mistyped path. */
function requireExisting(database: DatabaseTarget): void {
  if (database.kind === 'memory')
    throw new Error(
      'The database is in the memory of the service (DATABASE_URL): nothing else can reach it.',
    );
  if (database.kind === 'file' && whatIsAt(database.path) === 'nothing')
    throw new Error(
      `There is no database at ${database.path}. Start the service once, or set DATA_DIR or DATABASE_URL as it does.`,
    );
}
