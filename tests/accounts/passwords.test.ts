import { describe, expect, spyOn, test } from 'bun:test';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { AppError } from '../../src/vocabulary/errors.ts';

const HASH = await createPasswords().hash('Password1');

/** Many hashes, on a machine that may be busy. */
const PATIENCE_MS = 60_000;

describe('passwords', () => {
  test('match their own hash alone', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify('Password1', HASH)).toBe(true);
    expect(await passwords.verify('Password2', HASH)).toBe(false);
    expect(await passwords.verify('Password1', undefined)).toBe(false);
    expect(await passwords.verify('', HASH)).toBe(false);
  });

  test('passwords are distinguished up to their last character', async () => {
    const passwords = createPasswords();
    const longest = `A${'a'.repeat(127)}`;
    const hash = await passwords.hash(longest);
    expect(await passwords.verify(longest, hash)).toBe(true);
    expect(await passwords.verify(`${longest}a`, hash)).toBe(false);
    expect(await passwords.verify(longest.slice(0, -1), hash)).toBe(false);
  });

  test(
    'passwords are hashed two at a time, 64 wait, and the rest are asked to retry',
    async () => {
      const passwords = createPasswords();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 70 }, () => passwords.verify('Password1', HASH)),
      );
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
      expect(refused).toHaveLength(4);
      for (const error of refused) {
        expect(error).toBeInstanceOf(AppError);
        expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '5' } });
      }
      expect(await passwords.verify('Password1', HASH)).toBe(true);
    },
    PATIENCE_MS,
  );

  test('keep their turn when one fails', async () => {
    const passwords = createPasswords();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 3 }, () => passwords.verify('Password1', 'not a hash')),
      passwords.verify('Password1', HASH),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
  });
});

describe('passwords of a crowd', () => {
  test('never keep more than two at work, one of them a registration', async () => {
    using hashing = watchHashing();
    const passwords = createPasswords();
    const crowd = Array.from({ length: 6 }, () => passwords.hash('Password1', { isRegistration: true }));
    await Promise.all(crowd.slice(0, 2));
    expect(hashing.atWorkMax()).toBe(1);
    await Promise.all([...crowd, ...Array.from({ length: 4 }, () => passwords.hash('Password1'))]);
    expect(hashing.atWorkMax()).toBe(2);
  });

  test('registrations wait 64 at a time, and the rest are asked to retry', async () => {
    using _hashing = watchHashing();
    const passwords = createPasswords();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 70 }, () => passwords.hash('Password1', { isRegistration: true })),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
  });

  test(
    'that is doubted neither refuse nor delay a trusted one',
    async () => {
      const passwords = createPasswords();
      let answered = 0;
      const flood = Array.from({ length: 70 }, () =>
        passwords.verify('Password2', HASH, senderWith('doubted')).finally(() => {
          answered += 1;
        }),
      );
      const settled = Promise.allSettled(flood);
      expect(await passwords.verify('Password1', HASH, senderWith('trusted'))).toBe(true);
      expect(answered).toBeLessThan(35); // those that were refused, and few of the others
      expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(4);
    },
    PATIENCE_MS,
  );

  test('takes no place of those who are trusted, and registers in turn with them', async () => {
    using _hashing = watchHashing();
    const passwords = createPasswords();
    const verify = (trust: 'trusted' | 'doubted') => passwords.verify('Password1', HASH, senderWith(trust));
    let answered = 0;
    const trusted = Array.from({ length: 60 }, () =>
      verify('trusted').then(() => {
        answered += 1;
      }),
    );
    const crowd = Array.from({ length: 200 }, () => verify('doubted'));
    const others = Promise.allSettled(crowd);
    await passwords.hash('Password1', { isRegistration: true });
    expect(answered).toBeLessThan(10);
    await Promise.all(trusted);
    expect((await others).filter(({ status }) => status === 'rejected')).toHaveLength(134);
  });
});

describe('passwords of many networks', () => {
  test.each(['trusted', 'doubted'] as const)(
    'wait in turns, and the network with most waiting loses: %s',
    async (trust) => {
      using _hashing = watchHashing();
      const passwords = createPasswords();
      const order: string[] = [];
      const verify = (network: string) =>
        passwords.verify('Password1', HASH, senderWith(trust, network)).then(() => order.push(network));
      // Fifty networks fill the queue: each has two of the 66 places, or one.
      const crowd = Array.from({ length: 100 }, (_, index) => verify(`198.51.100.${index % 50}`));
      const settled = Promise.allSettled(crowd);
      await verify('192.0.2.1');
      expect(order.filter((network) => network !== '192.0.2.1').length).toBeLessThan(60);
      expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(35);
    },
  );

  test('register in turns, and the network with most waiting loses', async () => {
    using _hashing = watchHashing();
    const passwords = createPasswords();
    const register = (network: string) => passwords.hash('Password1', { isRegistration: true, network });
    const crowd = Array.from({ length: 100 }, () => register('198.51.100.1'));
    const settled = Promise.allSettled(crowd);
    expect(await register('192.0.2.1')).toBe('hash');
    expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(36);
  });

  test('take no place when their network has failed too often already', async () => {
    using _hashing = watchHashing();
    const passwords = createPasswords();
    const refused = new AppError('RATE_LIMITED', 'Too many failed logins');
    const failing = {
      ...senderWith('doubted'),
      check() {
        throw refused;
      },
    };
    const crowd = Array.from({ length: 100 }, () => passwords.verify('Password2', HASH, failing));
    const others = Array.from({ length: 66 }, () =>
      passwords.verify('Password1', HASH, senderWith('doubted', '192.0.2.9')),
    );
    for (const outcome of await Promise.allSettled(crowd)) expect(outcome).toMatchObject({ reason: refused });
    expect(await Promise.all(others)).not.toContain(false);
  });
});

/** Hashing that takes no time but its turn, and how much of it was at work at once. */
function watchHashing() {
  let atWork = 0;
  let atWorkMax = 0;
  async function work(): Promise<void> {
    atWork += 1;
    atWorkMax = Math.max(atWorkMax, atWork);
    await new Promise((resolve) => setImmediate(resolve));
    atWork -= 1;
  }
  const hash = spyOn(Bun.password, 'hash').mockImplementation(() => work().then(() => 'hash'));
  const verify = spyOn(Bun.password, 'verify').mockImplementation(() => work().then(() => true));
  return {
    atWorkMax: () => atWorkMax,
    [Symbol.dispose]() {
      hash.mockRestore();
      verify.mockRestore();
    },
  };
}

function senderWith(trust: 'trusted' | 'doubted' | 'slowed', network = '192.0.2.1') {
  return { network, check() {}, trust: () => trust, failed() {}, succeeded() {} };
}

describe('passwords of an account that is slowed down', () => {
  const slowed = senderWith('slowed');

  test('guesses are checked one by one, each after a second, without delaying other accounts', async () => {
    const pauses: { ms: number; end: () => void }[] = [];
    const passwords = createPasswords((ms) => new Promise<void>((end) => pauses.push({ ms, end })));
    const answers: string[] = [];
    const note = (name: string) => (isRight: boolean) => answers.push(`${name} ${isRight}`);
    const first = passwords.verify('Password2', HASH, slowed).then(note('first'));
    const second = passwords.verify('Password1', HASH, slowed).then(note('second'));
    expect(await passwords.verify('Password1', HASH)).toBe(true);
    expect(pauses.map(({ ms }) => ms)).toEqual([1_000]);
    pauses[0]?.end();
    await first;
    expect(answers).toEqual(['first false']);
    expect(pauses).toHaveLength(2);
    pauses[1]?.end();
    await second;
    expect(answers).toEqual(['first false', 'second true']);
  });

  test('guesses wait sixteen at a time, and the rest are asked to retry', () => {
    const passwords = createPasswords(() => new Promise(() => {}));
    for (let index = 0; index < 17; index += 1) void passwords.verify('Password1', HASH, slowed);
    expect(passwords.verify('Password1', HASH, slowed)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
