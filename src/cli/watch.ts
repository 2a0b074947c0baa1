import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeDatabaseFile } from '../backup/files.ts';
import type { Step } from '../process/progress.ts';
import { type Progress, toBar, toLine } from './progress-line.ts';

/** The executable is the program; from source Bun is given it. */
const PROGRAM = Bun.isStandaloneExecutable ? [] : [join(import.meta.dir, '../main.ts')];
const REDRAW_MS = 200;
const LINE_EVERY_MS = 10_000;
const PARENT_EVERY_MS = 500;
const CLEAR_LINE = '\r\x1b[2K';
/** Exit code that shells report for a process ended by Ctrl-C. */
const INTERRUPTED = 130;

/** Message from a command in its own process to the process that watches it. */
type Message = { step: Step } | { events: number };

/** Sends messages to the process that watches this one; there is none with `--quiet`. */
export const tell = {
  step: (step: Step) => send({ step }),
  /** How many there are by now. */
  events: (events: number) => send({ events }),
};

function send(message: Message): void {
  process.send?.(message);
}

/**
 * Runs a long command in a process of its own and shows how far it is: a bar on a terminal, a line every ten seconds
 * elsewhere. The work is done by calls that hold their process for minutes: it could neither draw nor hear a Ctrl-C.
 *
 * @param stopped what to say when it was stopped
 * @param work the command, for the process that does it
 * @returns its exit code
 */
export async function watched(
  isQuiet: boolean,
  stopped: string,
  work: () => Promise<0 | 1>,
): Promise<number> {
  if (isQuiet) return work();
  if (process.send) {
    endWithParent();
    return work().finally(() => process.disconnect?.());
  }
  return watch(Bun.argv.slice(2), stopped);
}

/** Ends this process when the one that started it was killed: otherwise it would keep its lock on the database. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); // as it was
  }, PARENT_EVERY_MS).unref();
}

async function watch(args: readonly string[], stopped: string): Promise<number> {
  const steps: Step[] = [];
  const display = createDisplay(() => child.pid);
  const child = Bun.spawn([process.execPath, ...PROGRAM, ...args], {
    stdio: ['inherit', 'pipe', 'pipe'], // what it prints comes below the bar
    ipc(message: Message) {
      if ('events' in message) return display.count(message.events);
      steps.push(message.step);
      display.begin(message.step);
    },
  });
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    child.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  display.end();
  if (!isStopping) {
    process.stdout.write(out);
    process.stderr.write(err);
    return code;
  }
  for (const { scratch } of steps) if (scratch) removeDatabaseFile(scratch);
  console.error(`Stopped. ${stopped}`);
  return INTERRUPTED;
}

function createDisplay(pid: () => number) {
  const { isTTY } = process.stderr;
  let current: { step: Step; startedAtMs: number; bytesBefore: number; events: number } | undefined;
  let isDrawn = false;
  const timer = setInterval(show, isTTY ? REDRAW_MS : LINE_EVERY_MS);

  function show(): void {
    if (!current) return;
    const { step, startedAtMs, bytesBefore, events } = current;
    const counts = step.events !== undefined;
    const progress: Progress = {
      name: step.name,
      unit: counts ? 'events' : 'bytes',
      done: counts ? events : bytesMovedBy(pid()) - bytesBefore,
      total: step.events ?? step.bytes,
      elapsedMs: performance.now() - startedAtMs,
    };
    process.stderr.write(isTTY ? `${CLEAR_LINE}${toBar(progress)}` : `${toLine(progress)}\n`);
    isDrawn = isTTY;
  }

  return {
    begin(step: Step) {
      current = { step, startedAtMs: performance.now(), bytesBefore: bytesMovedBy(pid()), events: 0 };
      if (isTTY) show();
    },
    count(events: number) {
      if (!current) return;
      current.events = events;
      if (isTTY) show(); // a step may be over before the next redraw
    },
    end() {
      clearInterval(timer);
      if (isDrawn) process.stderr.write(CLEAR_LINE);
    },
  };
}

/**
 * Returns the bytes that a process has read or written, whichever is more: a copy does both. 0 if Linux does not report
 * them.
 */
function bytesMovedBy(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/io`, 'utf8');
    const read = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    return Math.max(read('rchar'), read('wchar'));
  } catch {
    return 0;
  }
}
