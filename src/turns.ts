import type { AppError } from './errors.ts';

type Options = {
  /** Pieces of work at a time. */
  atWorkMax: number;
  /** Pieces that may wait for their turn. */
  waitingMax: number;
  /** Thrown at what comes beyond them. */
  refusal: () => AppError;
};

/** Lets only so much work run at a time; the rest waits in the order in which it came. */
export function createTurns({ atWorkMax, waitingMax, refusal }: Options) {
  let atWork = 0;
  const waiting: (() => void)[] = [];
  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (atWork < atWorkMax) atWork += 1;
    else if (waiting.length < waitingMax) await new Promise<void>((start) => waiting.push(start));
    else throw refusal();
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next)
        next(); // takes over this place at work
      else atWork -= 1;
    }
  };
}
