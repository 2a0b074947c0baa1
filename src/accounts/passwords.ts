import type { PasswordAttempt } from '../limits/password-limit.ts';
import { createTurns } from '../process/turns.ts';
import { PASSWORD_LENGTH_MAX } from '../vocabulary/contract.ts';
import { unavailableError } from '../vocabulary/errors.ts';

/** OWASP's minimum for argon2id: 19 MiB and two passes. 20–30 ms on one core of 2026, 100 ms on a small VPS. */
const ARGON = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** A hash of the same cost that no password is known for: an unknown address takes as long as a wrong password. */
const HASH_OF_NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$7hlkXNJSbX8jdp435MxzU9CQoMWi7jc6eY3eqSPIaQI$l3dIbpJW3L9B8oJogQr1xhGo5VJVM8ut+auX0jte3U4';

/** Each hash holds 19 MiB and a core, so two at a time; the rest wait their turn. */
const AT_WORK_MAX = 2;
/** Of each line: one to four seconds of work. Beyond it a refusal is kinder than the wait. */
const WAITING_MAX = 64;
const RETRY_AFTER_S = 5;
/** Strangers to an account that many have failed to open are looked at one by one, a second each. */
const SLOWLY_MS = 1_000;
const SLOWLY_WAITING_MAX = 16;

type Passwords = {
  /** @param isStranger whoever asks has no account yet: waits in the line of registrations */
  hash(password: string, isStranger?: boolean): Promise<string>;
  /**
   * Takes the same work when there is no hash to compare with, and then says no.
   *
   * @param attempt asked when the work's turn has come, and told of a failure before the next one's has
   */
  verify(password: string, hash: string | undefined, attempt?: PasswordAttempt): Promise<boolean>;
};

/** @throws AppError 503 (both functions) when too many are waiting already */
export function createPasswords(pause: (ms: number) => Promise<unknown> = Bun.sleep): Passwords {
  const refusal = () => unavailableError('Too many people are logging in at the moment', RETRY_AFTER_S);
  const line = (atWorkMax: number, waitingMax = WAITING_MAX) =>
    createTurns({ atWorkMax, waitingMax, refusal });
  /** Each is as long as it may be, whatever the others are. */
  const lines = {
    trusted: line(AT_WORK_MAX),
    doubted: line(AT_WORK_MAX),
    slowed: line(1, SLOWLY_WAITING_MAX),
    registrations: line(1),
  };
  /** The first of the lines take turns. */
  const inTurn = createTurns({ atWorkMax: AT_WORK_MAX, waitingMax: Number.POSITIVE_INFINITY, refusal });

  function wait<Result>(name: keyof typeof lines, work: () => Promise<Result>): Promise<Result> {
    return lines[name](async () => {
      if (name === 'slowed') await pause(SLOWLY_MS);
      return inTurn(work, { line: name });
    });
  }

  async function matches(password: string, hash = HASH_OF_NOBODY): Promise<boolean> {
    // Cut, because a password of a megabyte takes 0.6 s.
    const text = password.slice(0, PASSWORD_LENGTH_MAX).normalize('NFC');
    return (await Bun.password.verify(text, hash)) && password.length <= PASSWORD_LENGTH_MAX;
  }

  return {
    hash(password, isStranger = false) {
      const hash = () => Bun.password.hash(password.normalize('NFC'), ARGON);
      return wait(isStranger ? 'registrations' : 'trusted', hash);
    },

    async verify(password, hash, attempt) {
      async function look(): Promise<boolean> {
        attempt?.check();
        const isRight = (await matches(password, hash)) && hash !== undefined;
        if (isRight) attempt?.succeeded();
        else attempt?.failed();
        return isRight;
      }
      return wait(attempt?.trust() ?? 'trusted', look);
    },
  };
}
