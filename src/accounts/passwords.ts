import type { PasswordAttempt } from '../limits/password-limit.ts';
import { createTurns } from '../process/turns.ts';
import { PASSWORD_LENGTH_MAX } from '../vocabulary/contract.ts';
import { unavailableError } from '../vocabulary/errors.ts';

/** OWASP's minimum for argon2id: 19 MiB and two passes. 20–30 ms on one core of 2026, 100 ms on a small VPS. */
const ARGON = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** A hash without a known password: checking an unknown address takes as long as a wrong password. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$7hlkXNJSbX8jdp435MxzU9CQoMWi7jc6eY3eqSPIaQI$l3dIbpJW3L9B8oJogQr1xhGo5VJVM8ut+auX0jte3U4';

/** Each hash holds 19 MiB and a core, so two at a time; the rest wait. */
const AT_WORK_MAX = 2;
/** Maximum length of each queue, one to four seconds of work. Beyond it, a refusal is kinder than the wait. */
const WAITING_MAX = 64;
const RETRY_AFTER_S = 5;
/** An account that many have failed to open takes a password from a stranger once a second. */
const SLOWLY_MS = 1_000;
const SLOWLY_WAITING_MAX = 16;

type Hashing = {
  /** A registration has a queue of its own. */
  isRegistration?: boolean;
  /** Network of the sender. */
  network?: string | undefined;
};

export type Passwords = {
  hash(password: string, hashing?: Hashing): Promise<string>;
  /**
   * Verifies a password. Without a hash it does the same work and returns false.
   *
   * @param attempt checked before it enters a queue and again when its turn comes, so that of many simultaneous guesses
   *   only as many are hashed as may fail. It receives the outcome before the next one begins.
   */
  verify(password: string, hash: string | undefined, attempt?: PasswordAttempt): Promise<boolean>;
};

/**
 * Hashes in turns:
 *
 *     trusted        64 wait, 2 at a time ──┐
 *     doubted        64 wait, 2 at a time ──┤  the four take turns,
 *     slowed         16 wait, 1 a second ───┤  2 hashes at a time
 *     registrations  64 wait, 1 at a time ──┘
 *
 * Within each queue the networks of the senders take turns. When it is full, the network that has most waiting loses its
 * last one, so a flood from fifty addresses does not keep out one from another.
 *
 * @throws AppError 503 (both functions) when too many are waiting already
 */
export function createPasswords(pause: (ms: number) => Promise<unknown> = Bun.sleep): Passwords {
  const refusal = () => unavailableError('Too many people are logging in at the moment', RETRY_AFTER_S);
  const createQueue = (atWorkMax: number, waitingMax = WAITING_MAX) =>
    createTurns({ atWorkMax, waitingMax, refusal });
  const queues = {
    trusted: createQueue(AT_WORK_MAX),
    doubted: createQueue(AT_WORK_MAX),
    slowed: createQueue(1, SLOWLY_WAITING_MAX),
    registrations: createQueue(1),
  };
  const inTurn = createQueue(AT_WORK_MAX, Number.POSITIVE_INFINITY);

  function wait<Result>(
    name: keyof typeof queues,
    network: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return queues[name](
      async () => {
        if (name === 'slowed') await pause(SLOWLY_MS);
        return inTurn(work, { line: name });
      },
      { line: network ?? '' },
    );
  }

  async function matches(password: string, hash = DUMMY_HASH): Promise<boolean> {
    // Cut, because a password of a megabyte takes 0.6 s.
    const text = password.slice(0, PASSWORD_LENGTH_MAX).normalize('NFC');
    return (await Bun.password.verify(text, hash)) && password.length <= PASSWORD_LENGTH_MAX;
  }

  return {
    hash(password, { isRegistration = false, network } = {}) {
      const hash = () => Bun.password.hash(password.normalize('NFC'), ARGON);
      return wait(isRegistration ? 'registrations' : 'trusted', network, hash);
    },

    async verify(password, hash, attempt) {
      async function look(): Promise<boolean> {
        attempt?.check();
        const isRight = (await matches(password, hash)) && hash !== undefined;
        if (isRight) attempt?.succeeded();
        else attempt?.failed();
        return isRight;
      }
      attempt?.check();
      return wait(attempt?.trust() ?? 'trusted', attempt?.network, look);
    },
  };
}
