import { unavailableError } from '../vocabulary/errors.ts';

export const accountReader = (userId: string) => `account ${userId}`;

/** Readers are accounts, and strangers by their addresses. */
export type AnswerBudget = {
  /** Asked before an answer is made. @throws AppError SERVICE_UNAVAILABLE when the reader has not read half of its room */
  requireReader(reader: string): void;
  /**
   * Takes room for an answer that is on its way.
   *
   * @returns gives the room back, however often it is called
   * @throws AppError SERVICE_UNAVAILABLE
   */
  take(reader: string, bytes: number): () => void;
};

/** Answers that readers have not taken yet: of all, and of one account or address. The greatest has 11 MB. */
const BYTES_MAX = 96 * 1024 ** 2;
const BYTES_OF_ONE_MAX = 16 * 1024 ** 2;
const RETRY_AFTER_S = 5;

/** A budget of bytes for large answers: readers that read slowly, or not at all, must not fill the memory. */
export function createAnswerBudget(bytesMax = BYTES_MAX, bytesOfOneMax = BYTES_OF_ONE_MAX): AnswerBudget {
  const taken = new Map<string, number>();
  let all = 0;

  function add(reader: string, bytes: number): void {
    const own = (taken.get(reader) ?? 0) + bytes;
    if (own > 0) taken.set(reader, own);
    else taken.delete(reader);
    all += bytes;
  }

  function requireRoom(reader: string, bytes: number): void {
    // One answer is always allowed: it is bounded itself.
    const own = taken.get(reader) ?? 0;
    if (own > 0 && own + bytes > bytesOfOneMax)
      throw unavailableError('Read the answers that you have asked for first', RETRY_AFTER_S);
    if (all > bytesMax || (own > 0 && all + bytes > bytesMax))
      throw unavailableError('Too many large answers are on their way; try again in a moment', RETRY_AFTER_S);
  }

  return {
    requireReader: (reader) => requireRoom(reader, bytesOfOneMax / 2),

    take(reader, bytes) {
      requireRoom(reader, bytes);
      let isTaken = true;
      add(reader, bytes);
      return () => {
        if (isTaken) add(reader, -bytes);
        isTaken = false;
      };
    },
  };
}
