import { statSync } from 'node:fs';

/** State of the process as a whole. */
export type Condition = {
  /** Whether it is stopping: it still answers requests, but reports that it is not ready. */
  isStopping: boolean;
  /** Whether the database file was moved or deleted: new data will be lost with the process. */
  isFileGone: boolean;
};

const EVERY_MS = 500;

/**
 * Watches whether the file at a path is still the opened one. SQLite continues to write to a file that was deleted or
 * replaced, and reports every commit as done. A file that returns under its old name is trusted again.
 *
 * @param onGone called once each time
 * @returns a function that stops watching
 */
export function watchFile(path: string, condition: Condition, onGone: (error: Error) => void): () => void {
  const opened = idOf(path);
  const timer = setInterval(() => {
    const isGone = idOf(path) !== opened;
    if (isGone && !condition.isFileGone)
      onGone(new Error('The database file was removed or replaced while it was open. Nothing is stored.'));
    condition.isFileGone = isGone;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function idOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file && `${file.dev} ${file.ino}`;
}
