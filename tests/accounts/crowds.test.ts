import { afterAll, expect, test } from 'bun:test';
import { createTestService, PASSWORD, statusAndBody } from '../support/service.ts';

const service = await createTestService({ trustedProxies: 1 });
afterAll(() => service.close());

const from = (address: string) => ({ 'X-Forwarded-For': address });
const logIn = (email: string, password: string, address: string) =>
  service.send('POST', '/api/v1/auth/login', { body: { email, password }, headers: from(address) });

test('a right password is looked at beside a crowd that registers', async () => {
  const { email } = await service.signUp();
  const crowd = Array.from({ length: 90 }, (_, index) =>
    service.send('POST', '/api/v1/auth/register', {
      body: { email: `crowd-${index}@example.com`, password: PASSWORD },
      headers: from('203.0.113.9'),
    }),
  );
  expect((await logIn(email, PASSWORD, '198.51.100.7')).status).toBe(200);
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 503]));
});

test('a right password is looked at beside a crowd that guesses', async () => {
  const { email } = await service.signUp();
  const guess = (round: number, index: number) =>
    logIn(`${round}-${index}@example.com`, 'Wrong-horse-9', `203.0.113.${index}`);
  await Promise.all(Array.from({ length: 60 }, (_, index) => guess(1, index)));
  const crowd = Array.from({ length: 120 }, (_, index) => guess(2, index % 60));
  expect(statusAndBody(await logIn(email, PASSWORD, '198.51.100.7'))).toMatchObject({ status: 200 });
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
});
