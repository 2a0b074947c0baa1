import { unavailableError } from '../errors.ts';

const RETRY_AFTER_S = 2;

type BodyBudget = {
  /** @throws AppError SERVICE_UNAVAILABLE when too much is on its way already */
  take(bytes: number): void;
  /** Gives back what was taken. */
  release(bytes: number): void;
};

/**
 * Bounds the memory of bodies that are still arriving. One sender may announce 5 MiB, send most of it and wait; a
 * thousand of them would take the machine.
 */
export function createBodyBudget(bytesMax: number): BodyBudget {
  let takenBytes = 0;
  return {
    take(bytes) {
      if (takenBytes + bytes > bytesMax)
        throw unavailableError('Too many large bodies are on their way; try again', RETRY_AFTER_S);
      takenBytes += bytes;
    },
    release(bytes) {
      takenBytes -= bytes;
    },
  };
}

/**
 * Bodies that have arrived are worked on as many at a time as fit into the bytes, in their order. What JSON.parse makes
 * of a text takes up to ten times as much memory as the text, so those that wait do so as text.
 */
export function createTurns(bytesMax: number) {
  let atWorkBytes = 0;
  const waiting: { bytes: number; start: () => void }[] = [];

  /** One that is larger than everything that may be at work goes alone. */
  function fits(bytes: number): boolean {
    return atWorkBytes === 0 || atWorkBytes + bytes <= bytesMax;
  }

  return async function inTurn<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (waiting.length === 0 && fits(bytes)) atWorkBytes += bytes;
    else await new Promise<void>((start) => waiting.push({ bytes, start }));
    try {
      return await work();
    } finally {
      atWorkBytes -= bytes;
      for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) {
        waiting.shift();
        atWorkBytes += next.bytes;
        next.start();
      }
    }
  };
}
