import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 1_000;
/** Between npm and this process: a shell and `bun start`, or the launcher of the package. */
const ANCESTORS_MAX = 6;

/**
 * Calls `onGone` once the npm (`npx`, `npm start`) that has started this process has ended. npm passes a signal to its
 * shell alone, which dies without passing it on: what the shell has started would keep the port. Linux only.
 */
export function watchNpm(onGone: () => void): void {
  const npm = findNpm();
  if (npm === undefined) return;
  const timer = setInterval(() => {
    if (isNpm(readProcess(npm))) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}

function findNpm(): number | undefined {
  let pid = process.ppid;
  for (let count = 0; count < ANCESTORS_MAX; count += 1) {
    const found = readProcess(pid);
    if (!found) return undefined;
    if (isNpm(found)) return pid;
    pid = found.parent;
  }
  return undefined;
}

type Process = { name: string; state: string; parent: number };

/** It names itself `npm exec …` or `npm start`. A zombie (Z) has ended. */
function isNpm(found: Process | undefined): boolean {
  return found !== undefined && /^npm\b/.test(found.name) && found.state !== 'Z';
}

/** Undefined when there is no such process, or no /proc. */
function readProcess(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1'); // PID (NAME) STATE PARENT …
    const end = text.lastIndexOf(')');
    const [state = '', parent] = text.slice(end + 2).split(' ');
    return { name: text.slice(text.indexOf('(') + 1, end), state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
