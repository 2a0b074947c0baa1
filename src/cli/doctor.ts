import { examineCopies } from '../doctor/examine-copies.ts';
import { examineDatabase } from '../doctor/examine-database.ts';
import { examineDeeply } from '../doctor/examine-deeply.ts';
import { examineAbsence, examineFiles } from '../doctor/examine-files.ts';
import { examinePlaces } from '../doctor/examine-places.ts';
import { examineServer } from '../doctor/examine-server.ts';
import { type Finding, fault, ok, warn } from '../doctor/finding.ts';
import { ConfigError } from '../settings/config.ts';
import { findUnknownSettings } from '../settings/unknown.ts';
import type { FileCommand } from './command.ts';
import { tell } from './watch.ts';

export function examine({ deep = false, json = false }): FileCommand {
  return async (readSettings, { print }) => {
    const findings = await findAll(readSettings, deep);
    if (json) print(JSON.stringify(findings, undefined, 2));
    else for (const line of findings.map(toLine)) print(line);
    return findings.some(({ level }) => level === 'fault') ? 1 : 0;
  };
}

async function findAll(readSettings: Parameters<FileCommand>[0], isDeep: boolean): Promise<Finding[]> {
  let settings: ReturnType<typeof readSettings>;
  try {
    settings = readSettings();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((sentence) => fault('settings', sentence, 'Mend it in the environment or .env.'));
  }
  const { config, secrets } = settings;
  const { database, backup } = config;
  const nowMs = Date.now();
  const around = [
    ok('settings', 'They are valid.'),
    ...findUnknownSettings(process.env).map((sentence) =>
      warn('settings', sentence, 'Correct the name, or remove it.'),
    ),
    ...examineFiles(config, secrets.jwtSecret !== undefined, nowMs),
    ...(await examinePlaces(config.geoDatabases, nowMs)),
  ];
  if (database.kind === 'remote') return [...around, ...(await examineServer(database, config.dataDir))];
  if (database.kind === 'memory')
    return [...around, ok('database', 'It is in the memory of the service, so it was not looked at.')];
  const copies = examineCopies([
    backup.localDir,
    ...(backup.to.kind === 'directory' ? [backup.to.path] : []),
  ]);
  const absence = examineAbsence(database.path, config.dataDir);
  if (absence) return [...around, ...copies, absence];
  const within = examineDatabase(database.path);
  // A damaged database is not examined further.
  if (!isDeep || within.some(({ level }) => level === 'fault')) return [...around, ...copies, ...within];
  return [...around, ...copies, ...within, await examineDeeply(database.path, backup.localDir, tell.step)];
}

function toLine({ check, level, message, advice }: Finding): string {
  return `${level.padEnd(5)}  ${check}: ${message}${advice ? `\n       ${advice}` : ''}`;
}
