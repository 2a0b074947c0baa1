import { accessSync, constants, mkdirSync, statSync } from 'node:fs';

/**
 * Makes a directory for the owner alone, unless it is there.
 *
 * @throws Error with a sentence when it cannot be made, or not written to
 */
export function prepareDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`The directory ${path} cannot be made: ${codeOf(error)}`);
  }
  requireWritable(path);
}

/** @throws Error with a sentence that says who may, and who asks */
export function requireWritable(path: string): void {
  const fault = findWriteFault(path);
  if (fault !== undefined) throw new Error(fault);
}

/** Why nothing can be written to a directory that is there, as a sentence. */
export function findWriteFault(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (codeOf(error) === 'EROFS')
      return `The directory ${path} is on a file system that is mounted read-only.`;
    const { uid } = statSync(path);
    return `The directory ${path} belongs to user ${uid}, and user ${process.getuid?.()}, who runs this, may not write to it. Run it as that user, or give the directory away: chown -R ${process.getuid?.()} ${path}`;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
