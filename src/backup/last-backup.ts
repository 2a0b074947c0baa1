import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDirectory, writeWhole } from './files.ts';

/** Outcome of the latest backup to the configured target, made by the service or a command. `error`: a sentence. */
export type LastBackup = { finishedAtMs: number; ok: boolean; error?: string };

/** Reads the outcome from a file, which survives restarts and which commands write for the service. */
export function readLastBackup(dataDir: string): LastBackup | undefined {
  const path = fileIn(dataDir);
  if (!existsSync(path)) return undefined;
  try {
    return toLastBackup(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined; // foreign or edited: treated as missing
  }
}

export function writeLastBackup(dataDir: string, last: LastBackup): void {
  createDirectory(dataDir);
  writeWhole(fileIn(dataDir), `${JSON.stringify(last)}\n`);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'last-backup.json');
}

function toLastBackup(value: unknown): LastBackup | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { finishedAtMs, ok, error } = value as Record<string, unknown>; // an object, whatever it holds
  if (typeof finishedAtMs !== 'number' || typeof ok !== 'boolean') return undefined;
  return { finishedAtMs, ok, ...(typeof error === 'string' && { error }) };
}
