import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createAccountAdmin } from '../../src/accounts/admin.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let user: Person;
beforeAll(async () => {
  service = await createTestService();
  user = await service.signUp();
});
beforeEach(() => service.clock.set(TEST_START_MS));

describe('the sender of events', () => {
  function find(headers: Record<string, string>) {
    return service.accounts.findEventSender(new Request('http://localhost/', { method: 'POST', headers }));
  }

  test('there is no event sender without an API key, and a login token is ignored', async () => {
    expect(await find({})).toBeUndefined();
    expect(await find({ Authorization: `Bearer ${user.token}` })).toBeUndefined();
    expect(await find({ Authorization: 'Basic eDp5' })).toBeUndefined();
  });

  test('is the owner of a key with the scope events', async () => {
    const { key } = await service.addKey(user.token, { scopes: ['events'] });
    for (const headers of [{ 'X-API-Key': key }, { Authorization: `bearer ${key}` }])
      expect(await find(headers)).toEqual({ userId: user.id });
    expect(await find({ 'X-API-Key': key, Authorization: `Bearer ${user.token}` })).toEqual({
      userId: user.id,
    });
  });

  test('is refused with an unknown, a malformed or an expired key', async () => {
    const { key } = await service.addKey(user.token, { expiresAt: '2026-11-20T12:01:00Z' });
    service.clock.advance(60_000);
    const unknown = { code: 'UNAUTHORIZED', message: 'The API key is unknown or has expired' };
    for (const text of [key, `pk_${'x'.repeat(32)}`, 'pk_', 'x', ''])
      await expect(find({ 'X-API-Key': text })).rejects.toMatchObject(unknown);
    await expect(find({ Authorization: 'Bearer pk_short' })).rejects.toMatchObject(unknown);
  });

  test('is refused without the scope, or when the account is inactive', async () => {
    const { key } = await service.addKey(user.token, { scopes: ['read', 'write'] });
    await expect(find({ 'X-API-Key': key })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'The API key lacks the scope "events"',
    });
    const { email, apiKey } = await service.signUp();
    await createAccountAdmin(service.db, service.clock.now).setActive(email, false);
    await expect(find({ 'X-API-Key': apiKey })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'Account is inactive',
    });
  });
});
