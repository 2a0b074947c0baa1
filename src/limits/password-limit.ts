import type { IpAddress } from '../network/ip-address.ts';
import { canonicalNetwork } from '../network/ip-range.ts';
import type { LimitSettings } from '../settings/limit.ts';
import { DAY_MS, MINUTE_MS } from '../vocabulary/durations.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';

/** A pending password attempt. */
export type PasswordAttempt = {
  /** The sender's, as wide as one customer may have it; undefined when it is not known. */
  network?: string;
  /** @throws AppError RATE_LIMITED after too many failures */
  check(): void;
  /**
   * Trust in the sender. `doubted`: there were recent failures from its network. `slowed`: the sender is a stranger to an
   * account with many failed attempts.
   */
  trust(): 'trusted' | 'doubted' | 'slowed';
  failed(): void;
  succeeded(): void;
};

type Deps = {
  settings: Pick<LimitSettings, 'loginFailures' | 'loginFailuresPerAddress'>;
  hash: KeyedHash;
  /** Monotonic clock. */
  monotonicMs: () => number;
  /** Called on every wrong password. */
  onFailure: () => void;
  refuse: (limit: RateLimit, key: string, waitMs: number) => never;
};

const FAILURES_MS = 15 * MINUTE_MS;
/** One customer may hold a /56 or a /48 of IPv6: these may fail so many times as often as a /64. */
const NETWORKS = [
  { bits: 64, times: 1 },
  { bits: 56, times: 2 },
  { bits: 48, times: 4 },
] as const;
/** The wider networks are fewer. */
const WIDE_SLOTS = 16_384;
/** An account slows down strangers after so many times the failures that one address may have. */
const SLOW_TIMES = 10;
/** Weight of a stranger's failure at such an account: with the default limit an address may guess twice. */
const SLOW_COST = 5;
/** How long an address that has opened an account is known to it. */
const KNOWN_MS = 30 * DAY_MS;

/**
 * Counts wrong passwords. Only failures count, so correct logins never use up the limit. No account is ever locked: its
 * owner gets in at once from an address that has opened it before, and after a short wait from any other.
 *
 * | | counts failures | too many |
 * |---|---|---|
 * | perAccount | of a network for an account | it is refused there for a while |
 * | overall | of a network for all accounts | it is refused everywhere for a while |
 * | failuresOfAccount | for an account, from anywhere | strangers are slowed |
 * | failedLately | of a /48 or an IPv4 address | one: its senders are doubted |
 * | hasOpened | successes of a network at an account | one: it is not a stranger, and not doubted |
 */
export function createPasswordLimit({ settings, hash, monotonicMs, onFailure, refuse }: Deps) {
  const create = (max: number, perMs: number, slots?: number) =>
    max > 0 ? createRateLimit({ rate: { max, perMs }, hash, ...(slots && { slots }) }) : undefined;
  const { loginFailures, loginFailuresPerAddress } = settings;
  const networks = NETWORKS.map(({ bits, times }) => {
    const slots = times === 1 ? undefined : WIDE_SLOTS;
    return {
      bits,
      perAccount: create(loginFailures * times, FAILURES_MS, slots),
      overall: create(loginFailuresPerAddress * times, FAILURES_MS, slots),
    };
  });
  // Counts up to twice what slows an account down: it stays slow for as long after the last failure.
  const failuresOfAccount = create(loginFailures * SLOW_TIMES * 2, FAILURES_MS * 2);
  const failedLately = createRateLimit({ rate: { max: 1, perMs: FAILURES_MS }, hash });
  const hasOpened = createRateLimit({ rate: { max: 1, perMs: KNOWN_MS }, hash });

  function attempt(address: IpAddress, account: string): PasswordAttempt {
    const pair = `${canonicalNetwork(address, 64)} ${account}`;
    const widest = canonicalNetwork(address, 48);
    const isKnown = hasOpened.waitMs(pair, monotonicMs()) > 0;
    /** Networks whose failures count: a known sender is not blamed for the neighbours; IPv4 has no wider network. */
    const own = (isKnown || address.family === 'ipv4' ? networks.slice(0, 1) : networks).map(
      ({ bits, perAccount, overall }) => {
        const network = canonicalNetwork(address, bits);
        return { perAccount, overall, network, pair: `${network} ${account}` };
      },
    );

    function isSlowed(): boolean {
      return !isKnown && (failuresOfAccount?.rest(account, monotonicMs()).fullInMs ?? 0) > FAILURES_MS;
    }

    function counts(): [limit: RateLimit | undefined, key: string, cost: number][] {
      const cost = isSlowed() ? SLOW_COST : 1;
      return own.flatMap(({ perAccount, overall, network, pair }) => [
        [perAccount, pair, cost],
        [overall, network, 1],
      ]);
    }

    return {
      network: widest,
      check() {
        for (const [limit, key, cost] of counts()) {
          const waitMs = limit?.waitMs(key, monotonicMs(), cost) ?? 0;
          if (limit && waitMs > 0) refuse(limit, key, waitMs);
        }
      },
      trust() {
        if (isSlowed()) return 'slowed';
        return !isKnown && failedLately.waitMs(widest, monotonicMs()) > 0 ? 'doubted' : 'trusted';
      },
      failed() {
        onFailure();
        for (const [limit, key, cost] of counts()) limit?.take(key, monotonicMs(), cost);
        failuresOfAccount?.take(account, monotonicMs());
        failedLately.take(widest, monotonicMs());
      },
      succeeded() {
        hasOpened.take(pair, monotonicMs());
      },
    };
  }

  /** @param address null when it is not known, as on a Unix socket: then there is nothing to count */
  return (address: IpAddress | null, account: string): PasswordAttempt =>
    address === null
      ? { check() {}, trust: () => 'trusted', failed: onFailure, succeeded() {} }
      : attempt(address, account);
}
