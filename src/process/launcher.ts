import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 1_000;

/**
 * Calls `onGone` once npx has ended. npm passes a signal to its shell alone, which dies without passing it on: what the
 * shell has started, and this process below it, would keep the port. Linux only.
 */
export function watchNpx(onGone: () => void): void {
  if (process.env.npm_command !== 'exec') return;
  const launcher = parentOf(process.ppid);
  if (launcher === undefined) return;
  const timer = setInterval(() => {
    if (parentOf(process.ppid) === launcher) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** Undefined when the process is gone, and where there is no /proc. */
function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1'); // PID (NAME) STATE PARENT …
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
