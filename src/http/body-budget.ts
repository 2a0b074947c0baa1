import { unavailableError } from '../vocabulary/errors.ts';

const RETRY_AFTER_S = 2;

/** What one body has taken of the budget. */
export type Reservation = {
  /** @throws AppError SERVICE_UNAVAILABLE when too much is here already */
  take(bytes: number): void;
  /** Gives back all of it. */
  release(): void;
};

type Bounds = { bytesMax: number; senderBytesMax: number };

/**
 * Bounds the memory of bodies, by what has arrived of them: an announcement costs nothing. One sender may take a part of
 * it alone, so that nobody keeps others out by sending most of a body and waiting.
 */
export function createBodyBudget({ bytesMax, senderBytesMax }: Bounds) {
  let takenBytes = 0;
  const bySender = new Map<string, number>();

  function add(sender: string | null, bytes: number): void {
    takenBytes += bytes;
    if (sender === null) return;
    const own = (bySender.get(sender) ?? 0) + bytes;
    if (own > 0) bySender.set(sender, own);
    else bySender.delete(sender);
  }

  /** @param sender null: nobody knows, and only the whole is bounded */
  return function reserve(sender: string | null): Reservation {
    let ownBytes = 0;
    return {
      take(bytes) {
        if (sender !== null && (bySender.get(sender) ?? 0) + bytes > senderBytesMax)
          throw unavailableError('Too many large bodies from this address are on their way', RETRY_AFTER_S);
        if (takenBytes + bytes > bytesMax)
          throw unavailableError('Too many large bodies are on their way; try again', RETRY_AFTER_S);
        ownBytes += bytes;
        add(sender, bytes);
      },
      release() {
        add(sender, -ownBytes);
        ownBytes = 0;
      },
    };
  };
}

/**
 * Bodies that have arrived are worked on as many at a time as fit into the bytes, in their order. What JSON.parse makes
 * of a text takes up to ten times as much memory as the text, so those that wait do so as text.
 */
export function createByteTurns(bytesMax: number) {
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
