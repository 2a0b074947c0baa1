import { dirname } from 'node:path';
import { copyBeforeMigration } from '../backup/before-migration.ts';
import { whatIsAt } from '../backup/files.ts';
import { lockInstance } from '../db/instance-lock.ts';
import { type OpenDatabase, openDatabase } from '../db/open.ts';
import { requireWritable } from '../process/data-directory.ts';
import { type Config, parseConfig } from '../settings/config.ts';
import type { DatabaseTarget } from '../settings/database.ts';
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
  const database = await openBesideService(config);
  await command({ database, config, secrets }, io).finally(() => database.close());
  return 0;
}

/** Opens the database while the service may run, unless it is of an older version whose tables would have to change. */
async function openBesideService(config: Config): Promise<OpenDatabase> {
  const { database: target, durability } = config;
  const copy = copyBeforeMigration(config, Date.now);
  let unlock: (() => void) | undefined;
  try {
    return await openDatabase(target, durability, {
      async beforeMigrating(schema) {
        // Called again when the database was busy.
        if (target.kind === 'file') unlock ??= lockForChange(target.path);
        await copy?.(schema);
      },
    });
  } finally {
    unlock?.();
  }
}

function lockForChange(path: string): () => void {
  try {
    return lockInstance(path);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`this version has to change its tables first. ${message}`, { cause: error });
  }
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
