import { PASSWORD_LENGTH_MAX } from '../contract/vocabulary.ts';
import { unavailableError } from '../errors.ts';
import type { PasswordAttempt } from '../limits/limits.ts';
import { createTurns } from '../turns.ts';

/** OWASP's minimum for argon2id: 19 MiB and two passes. 20–30 ms on one core of 2026, 100 ms on a small VPS. */
const ARGON = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** A hash of the same cost that no password is known for: an unknown address takes as long as a wrong password (D3). */
const HASH_OF_NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$7hlkXNJSbX8jdp435MxzU9CQoMWi7jc6eY3eqSPIaQI$l3dIbpJW3L9B8oJogQr1xhGo5VJVM8ut+auX0jte3U4';

/** Each hash holds 19 MiB and a core, so two at a time; the rest wait their turn. */
const AT_WORK_MAX = 2;
/** One to four seconds of work. Beyond it a refusal is kinder than the wait. */
const WAITING_MAX = 64;
const RETRY_AFTER_S = 5;

type Passwords = {
  hash(password: string): Promise<string>;
  /**
   * Takes the same work when there is no hash to compare with, and then says no.
   *
   * @param attempt asked when the work's turn has come, and told of a failure before the next one's has
   */
  verify(password: string, hash: string | undefined, attempt?: PasswordAttempt): Promise<boolean>;
};

/** @throws AppError 503 (both functions) when too many are waiting already */
export function createPasswords(): Passwords {
  const inTurn = createTurns({
    atWorkMax: AT_WORK_MAX,
    waitingMax: WAITING_MAX,
    refusal: () => unavailableError('Too many people are logging in at the moment', RETRY_AFTER_S),
  });
  return {
    hash: (password) => inTurn(() => Bun.password.hash(password.normalize('NFC'), ARGON)),
    verify: (password, hash, attempt) =>
      inTurn(async () => {
        attempt?.check();
        const isPossible = hash !== undefined && password.length <= PASSWORD_LENGTH_MAX;
        // Cut, because a password of a megabyte takes 0.6 s.
        const text = password.slice(0, PASSWORD_LENGTH_MAX).normalize('NFC');
        const matches = await Bun.password.verify(text, hash ?? HASH_OF_NOBODY);
        if (!matches || !isPossible) attempt?.failed();
        return matches && isPossible;
      }),
  };
}
