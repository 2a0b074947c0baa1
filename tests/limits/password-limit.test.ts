import { describe, expect, test } from 'bun:test';
import { createKeyedHash } from '../../src/limits/keyed-hash.ts';
import { createPasswordLimit } from '../../src/limits/password-limit.ts';
import { parseIpAddress } from '../../src/network/ip-address.ts';
import { AppError } from '../../src/vocabulary/errors.ts';

const MINUTE_MS = 60_000;

/** Wrong passwords from here and there, with a clock that stands still until it is moved. */
function createGuesses(settings = { loginFailures: 10, loginFailuresPerAddress: 300 }) {
  let nowMs = 0;
  const attemptFrom = createPasswordLimit({
    settings,
    hash: createKeyedHash(),
    monotonicMs: () => nowMs,
    onFailure: () => {},
    refuse() {
      throw new AppError('RATE_LIMITED', 'Too many failed logins');
    },
  });

  const attempt = (address: string, account: string) => attemptFrom(parseIpAddress(address) ?? null, account);

  /** @returns whether the password was looked at */
  function guess(address: string, account = 'ada@example.com'): boolean {
    const asked = attempt(address, account);
    try {
      asked.check();
    } catch {
      return false;
    }
    asked.failed();
    return true;
  }

  return {
    guess,
    /** @returns how many of the guesses were looked at, one from each address */
    guessFrom: (addresses: string[], account?: string) =>
      addresses.filter((address) => guess(address, account)).length,
    open: (address: string, account = 'ada@example.com') => attempt(address, account).succeeded(),
    trust: (address: string, account = 'ada@example.com') => attempt(address, account).trust(),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

const hex = (index: number) => index.toString(16);
function list<Entry>(count: number, toEntry: (index: number) => Entry): Entry[] {
  return Array.from({ length: count }, (_, index) => toEntry(index));
}
/** Networks of their own, one address of each. */
const strangers = (count: number) => list(count, (index) => `198.51.${100 + (index >> 8)}.${index & 255}`);

describe('wrong passwords for one account', () => {
  test('are counted by /64, twice as many by /56, four times as many by /48', () => {
    const single = list(50, (index) => `2001:db8:1:2::${hex(index)}`);
    const by56 = list(50, (index) => `2001:db8:1:${hex(index)}::1`);
    const by48 = list(50, (index) => `2001:db8:1:${hex(index)}00::1`);
    expect(createGuesses().guessFrom(single)).toBe(10);
    expect(createGuesses().guessFrom(by56)).toBe(20);
    expect(createGuesses().guessFrom(by48)).toBe(40);
    const guesses = createGuesses();
    guesses.guessFrom(by48);
    expect(guesses.guessFrom(['2001:db8:2::1', '198.51.100.7'])).toBe(2);
  });

  test('a neighbour who has opened the account before does not answer for the others', () => {
    const { guessFrom, guess, open } = createGuesses();
    open('2001:db8:1:ff00::1');
    guessFrom(list(50, (index) => `2001:db8:1:${hex(index)}00::1`));
    expect(guess('2001:db8:1:fe00::1')).toBe(false);
    expect(guess('2001:db8:1:ff00::2')).toBe(true);
  });
});

test('wrong passwords for all accounts are counted by /64, /56 and /48 as well', () => {
  const { guess } = createGuesses({ loginFailures: 10, loginFailuresPerAddress: 5 });
  const looked = list(30, (index) => guess(`2001:db8:1:${hex(index)}00::1`, `${index}@example.com`));
  expect(looked.filter(Boolean)).toHaveLength(20);
});

describe('an account that a hundred have failed to open', () => {
  test('is slow for strangers, who may guess twice, and as ever for addresses that have opened it', () => {
    const { guess, guessFrom, open, trust } = createGuesses();
    open('192.0.2.1');
    expect(guessFrom(strangers(100))).toBe(100);
    expect(trust('203.0.113.1')).toBe('trusted');
    expect(guess('198.51.101.1')).toBe(true);
    expect([trust('203.0.113.1'), trust('192.0.2.1')]).toEqual(['slowed', 'trusted']);
    expect(list(4, () => '203.0.113.1').map((address) => guess(address))).toEqual([true, true, false, false]);
    expect(list(12, () => '192.0.2.1').filter((address) => guess(address))).toHaveLength(10);
    expect(trust('203.0.113.2', 'grace@example.com')).toBe('trusted');
  });

  test('is never locked: a stranger is always slowed, not refused, at first', () => {
    const { guessFrom } = createGuesses();
    guessFrom(strangers(500));
    expect(guessFrom(list(100, (index) => `192.0.2.${index}`))).toBe(100);
  });

  test('stays slow for a quarter of an hour after the last failure', () => {
    const { guessFrom, trust, advance } = createGuesses();
    guessFrom(strangers(300));
    advance(14 * MINUTE_MS);
    expect(trust('203.0.113.1')).toBe('slowed');
    advance(2 * MINUTE_MS);
    expect(trust('203.0.113.1')).toBe('trusted');
  });

  test('is not there when failures are not counted', () => {
    const { guessFrom, trust } = createGuesses({ loginFailures: 0, loginFailuresPerAddress: 0 });
    expect(guessFrom(strangers(500))).toBe(500);
    expect(trust('203.0.113.1')).toBe('trusted');
  });
});

test('a sender with recent failures is doubted for every account, and trusted again later', () => {
  const { guess, open, trust, advance } = createGuesses();
  open('2001:db8:1:3::1');
  guess('2001:db8:1:2::1');
  const trusts = () => [
    trust('2001:db8:1:2::1'),
    trust('2001:db8:1:2::1', 'grace@example.com'),
    trust('2001:db8:1:f::1'),
    trust('2001:db8:1:3::1'),
    trust('2001:db8:2::1'),
  ];
  expect(trusts()).toEqual(['doubted', 'doubted', 'doubted', 'trusted', 'trusted']);
  advance(15 * MINUTE_MS);
  expect(trusts()).toEqual(list(5, () => 'trusted'));
});
