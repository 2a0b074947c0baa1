import { existsSync } from 'node:fs';
import { copyBeforeMigration } from '../backup/before-migration.ts';
import { ConfigError, type DatabaseTarget, parseConfig } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import { BACKUP_USAGE, findBackupCommand } from './backup.ts';
import type { Command, FileCommand } from './command.ts';
import { DEMO_USAGE, findDemoCommand } from './demo.ts';
import { DOCTOR_USAGE, findDoctorCommand } from './doctor.ts';
import { findRebuildCommand, REBUILD_USAGE } from './rebuild.ts';
import { findRestoreCommand, RESTORE_USAGE } from './restore.ts';
import { findUserCommand, USER_USAGE } from './user.ts';

const USAGE = `Usage:

${[USER_USAGE, BACKUP_USAGE, RESTORE_USAGE, DOCTOR_USAGE, REBUILD_USAGE, DEMO_USAGE].join('\n')}`;

const TOPICS: Record<string, (args: string[]) => Command | undefined> = {
  user: findUserCommand,
  demo: findDemoCommand,
  rebuild: findRebuildCommand,
};

const FILE_TOPICS: Record<string, (args: string[]) => FileCommand | undefined> = {
  backup: findBackupCommand,
  restore: findRestoreCommand,
  doctor: findDoctorCommand,
};

/**
 * Administration from the command line, beside a running service or without one. Reads the same settings.
 *
 * @returns the exit code: 0 done, 1 failed, 2 not understood (arguments or settings)
 */
export async function runCommandLine(args: string[]): Promise<0 | 1 | 2> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    console.log(`${USAGE}\n\nReads the same settings as the service (environment variables or .env).`);
    return args.length === 0 ? 2 : 0;
  }
  const [topic = '', ...rest] = args;
  const command = Object.hasOwn(TOPICS, topic) ? TOPICS[topic]?.(rest) : undefined;
  const fileCommand = Object.hasOwn(FILE_TOPICS, topic) ? FILE_TOPICS[topic]?.(rest) : undefined;
  if (!command && !fileCommand) {
    console.error(`Not understood: ${args.join(' ')}\n\n${USAGE}`);
    return 2;
  }
  try {
    if (fileCommand) return await fileCommand(readSettings, { print, readLine });
    if (command) await run(command);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return error instanceof ConfigError ? 2 : 1;
  }
}

function readSettings() {
  return parseConfig(process.env, process.cwd());
}

async function run(command: Command): Promise<void> {
  const { config } = readSettings();
  requireExisting(config.database);
  const database = await openDatabase(config.database, config.durability, {
    beforeMigrating: copyBeforeMigration(config, Date.now),
  });
  await command({ database, config }, { print, readLine }).finally(() => database.close());
}

/** Opening would make an empty database of a mistyped path. */
function requireExisting(database: DatabaseTarget): void {
  if (database.kind === 'memory')
    throw new Error(
      'The database is in the memory of the service (DATABASE_URL): nothing else can reach it.',
    );
  if (database.kind === 'file' && !existsSync(database.path))
    throw new Error(
      `There is no database at ${database.path}. Start the service once, or set DATA_DIR or DATABASE_URL as it does.`,
    );
}

function print(line: string): void {
  console.log(line);
}

async function readLine(): Promise<string> {
  if (process.stdin.isTTY) console.error('New password (it will be visible):');
  for await (const line of console) return line;
  return '';
}
