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
