import { constants, setPriority } from 'node:os';

/** Gives a process the lowest priority, with the threads that it starts from now on: the service goes first. */
export function stepBack(pid = 0): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not granted everywhere, or the process has ended; it works without.
  }
}
