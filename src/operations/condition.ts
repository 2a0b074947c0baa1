import { statSync } from 'node:fs';

/** What the whole process knows of itself. */
export type Condition = {
  /** Asked to stop: answers what comes, and says that it is not ready. */
  isStopping: boolean;
  /** The database file is no longer where it was opened: what is written now is lost with the process. */
  isFileGone: boolean;
};

const EVERY_MS = 500;

/**
 * Watches that the file at a path stays the one that was opened. SQLite goes on writing into a file that was deleted
 * or replaced, and reports every commit as done. A file that comes back by its old name is trusted again.
 *
 * @param onGone told once each time
 * @returns a function that ends the watch
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
