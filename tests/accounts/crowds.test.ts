import { afterAll, expect, test } from 'bun:test';
import { createTestService, PASSWORD, statusAndBody } from '../support/service.ts';
import { isOnServer } from '../support/test-database.ts';

const service = await createTestService({ trustedProxies: 1 });
afterAll(() => service.close());

/** A hundred hashes, on a machine that may be busy. */
const PATIENCE_MS = 60_000;

const from = (address: string) => ({ 'X-Forwarded-For': address });
const logIn = (email: string, password: string, address: string) =>
  service.send('POST', '/api/v1/auth/login', { body: { email, password }, headers: from(address) });

test.skipIf(isOnServer)(
  // who waits is decided before the database is asked
  'a right password is checked while a crowd registers',
  async () => {
    const { email } = await service.signUp();
    const crowd = Array.from({ length: 75 }, (_, index) =>
      service.send('POST', '/api/v1/auth/register', {
        body: { email: `crowd-${index}@example.com`, password: PASSWORD },
        headers: from('203.0.113.9'),
      }),
    );
    expect((await logIn(email, PASSWORD, '198.51.100.7')).status).toBe(200);
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
  },
  PATIENCE_MS,
);

test.skipIf(isOnServer)(
  // who waits is decided before the database is asked
  'a right password is checked while a crowd guesses',
  async () => {
    const { email } = await service.signUp();
    const guess = (account: number, index: number) =>
      logIn(`${account}@example.org`, 'Wrong-horse-9', `203.0.113.${index}`);
    await Promise.all(Array.from({ length: 25 }, (_, index) => guess(index, index)));
    const crowd = Array.from({ length: 75 }, (_, index) => guess(index, index % 25));
    expect(statusAndBody(await logIn(email, PASSWORD, '198.51.100.7'))).toMatchObject({ status: 200 });
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
  },
  PATIENCE_MS,
);
