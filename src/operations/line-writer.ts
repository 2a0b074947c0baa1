import { write } from 'node:fs';

export type LineWriter = {
  /** Adds a line to what is written next, unless too much waits already. */
  write(line: string): void;
  /** Lines that were left out so far. */
  dropped(): number;
  /** Writes what waits, as far as the reader takes it in a short time. */
  close(): Promise<void>;
};

type Options = {
  fd: number;
  /** Monotonic clock. */
  monotonicMs?: () => number;
};

const EVERY_MS = 200;
/** A reader that has stopped reading costs no more memory than this. */
const WAITING_LENGTH_MAX = 512 * 1024;
/** Maximum rate of lines: a flood of requests must not fill the disk. */
const LINES_A_SECOND_MAX = 1_000;
const CLOSE_MS_MAX = 500;

/**
 * Writes lines in chunks, one at a time and in the background: a pipe without a reader blocks neither the event loop nor a
 * request.
 */
export function createLineWriter({ fd, monotonicMs = () => performance.now() }: Options): LineWriter {
  let waiting: string[] = [];
  let waitingLength = 0;
  let dropped = 0;
  let second = Number.NEGATIVE_INFINITY;
  let linesThisSecond = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWriting = false;
  let whenIdle: (() => void) | undefined;

  function add(line: string): void {
    const nowS = Math.floor(monotonicMs() / 1_000);
    if (nowS !== second) {
      second = nowS;
      linesThisSecond = 0;
    }
    linesThisSecond += 1;
    if (linesThisSecond > LINES_A_SECOND_MAX || waitingLength + line.length > WAITING_LENGTH_MAX) {
      dropped += 1;
      return;
    }
    waiting.push(line);
    waitingLength += line.length + 1;
    if (!timer && !isWriting) arm();
  }

  function arm(): void {
    timer = setTimeout(flush, EVERY_MS);
    timer.unref();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting || waiting.length === 0) return;
    const chunk = Buffer.from(`${waiting.join('\n')}\n`);
    waiting = [];
    isWriting = true;
    writeRest(chunk);
  }

  function writeRest(chunk: Buffer): void {
    write(fd, chunk, (error, written) => {
      // A log that cannot be written has no place to report it. Lines that a busy reader does not take are retried.
      const isBusy = error?.code === 'EAGAIN';
      const rest = error && !isBusy ? undefined : chunk.subarray(isBusy ? 0 : written);
      if (rest && rest.length > 0) {
        if (isBusy) setTimeout(() => writeRest(rest), EVERY_MS).unref();
        else writeRest(rest);
        return;
      }
      isWriting = false;
      waitingLength = waiting.reduce((sum, line) => sum + line.length + 1, 0);
      if (whenIdle) {
        if (waiting.length > 0) flush();
        else whenIdle();
      } else if (waiting.length > 0) arm();
    });
  }

  return {
    write: add,
    dropped: () => dropped,
    close() {
      flush();
      if (!isWriting) return Promise.resolve();
      return new Promise((resolve) => {
        whenIdle = resolve;
        setTimeout(resolve, CLOSE_MS_MAX);
      });
    },
  };
}
