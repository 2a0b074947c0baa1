import { describe, expect, test } from 'bun:test';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { AppError } from '../../src/errors.ts';

const HASH = await createPasswords().hash('Password1');

describe('passwords', () => {
  test('match their own hash alone', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify('Password1', HASH)).toBe(true);
    expect(await passwords.verify('Password2', HASH)).toBe(false);
    expect(await passwords.verify('Password1', undefined)).toBe(false);
    expect(await passwords.verify('', HASH)).toBe(false);
  });

  test('are told apart up to their last character', async () => {
    const passwords = createPasswords();
    const longest = `A${'a'.repeat(127)}`;
    const hash = await passwords.hash(longest);
    expect(await passwords.verify(longest, hash)).toBe(true);
    expect(await passwords.verify(`${longest}a`, hash)).toBe(false);
    expect(await passwords.verify(longest.slice(0, -1), hash)).toBe(false);
  });

  test('are hashed two at a time, 64 wait, and the rest is told to come back', async () => {
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
  });

  test('keep their turn when one fails', async () => {
    const passwords = createPasswords();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 3 }, () => passwords.verify('Password1', 'not a hash')),
      passwords.verify('Password1', HASH),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
  });
});
