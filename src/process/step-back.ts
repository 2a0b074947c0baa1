import { constants, setPriority } from 'node:os';

/** Gives a process the lowest priority, with the threads that it starts from now on: the service goes first. */
export function stepBack(pid = 0): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not permitted everywhere, or the process has ended. The backup works without it.
  }
}
