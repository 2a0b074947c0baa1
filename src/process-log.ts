import { fstatSync } from 'node:fs';
import { sqliteExtendedCode } from './db/busy.ts';

type Line = { level: 'info' | 'warn' | 'error'; message: string } & Record<string, unknown>;

export const STDOUT = 1;
const STDERR = 2;

/**
 * One JSON object a line, information on standard output, the rest on standard error. Never bodies, query strings,
 * addresses, tokens or SQL with its values.
 */
export function logLine(line: Line): void {
  const print = line.level === 'info' ? console.log : console.error;
  print(JSON.stringify({ time: new Date().toISOString(), ...line }));
}

/** Says why the service does not start: a sentence on a terminal, a line of the log elsewhere. */
export function logStartFailure(message: string): void {
  if (isTerminal(STDERR)) console.error(message);
  else logLine({ level: 'error', message });
}

/** Whether a person may be reading. `node:tty` knows it exactly, but takes 30 ms to load. */
export function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Logs an internal failure. A database error is logged by its code: its message would repeat the values. */
export function logError(error: unknown): void {
  const code = sqliteExtendedCode(error);
  const at = firstOwnFrames(error);
  if (code === undefined) logLine({ level: 'error', message: describe(error), at });
  else logLine({ level: 'error', message: 'database error', code, at });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unexpected failure';
  // Drizzle's message is the statement with its parameters; what went wrong is a code in its cause.
  if (error.message.startsWith('Failed query')) return `database error: ${codeOf(error.cause)}`;
  return `${error.name}: ${error.message}`;
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

const FRAMES_MAX = 4;

function firstOwnFrames(error: unknown): string[] {
  const frames = error instanceof Error ? (error.stack?.split('\n').slice(1) ?? []) : [];
  return frames
    .map((frame) => frame.trim())
    .filter((frame) => frame.startsWith('at ') && !frame.includes('node_modules'))
    .slice(0, FRAMES_MAX);
}
