import { afterEach, describe, expect, test } from 'bun:test';
import type { Config } from '../../src/settings/config.ts';
import { refusal } from '../support/refusals.ts';
import { createTestService, PASSWORD, type TestService } from '../support/service.ts';

const CODE = 'a2C4e6G8i0K1';

describe('setting the server up', () => {
  let service: TestService;
  afterEach(() => service.close());
  const ask = async () => (await service.send('GET', '/api/v1/auth/setup')).body;
  let people = 0;

  async function register(more: Record<string, unknown> = {}) {
    people += 1;
    const body = { email: `new-${people}@example.com`, password: PASSWORD, ...more };
    const answer = await service.send('POST', '/api/v1/auth/register', { body });
    // biome-ignore lint/suspicious/noExplicitAny: the form of the answer is what tests of registration look at
    const { tokens } = answer.body as any;
    return { status: answer.status, message: answer.body, token: tokens?.accessToken as string };
  }

  const rule = async (token: string) =>
    (await service.send('GET', '/api/v1/auth/registration', { token })).body;
  const change = (token: string, registration: string) =>
    service.send('PUT', '/api/v1/auth/registration', { token, body: { registration } });

  test.each(['open', 'closed'] as const)(
    'REGISTRATION=%s decides, and no request changes it',
    async (registration) => {
      service = await createTestService({ registration });
      expect(await ask()).toEqual({ needsSetup: true, needsCode: false, registration });
      const { token } = await register({ othersMayRegister: registration === 'closed' });
      expect(await ask()).toEqual({ needsSetup: false, needsCode: false, registration });
      expect(await rule(token)).toEqual({ registration, isOwner: true, isFixed: true });
      expect((await change(token, 'open')).status).toBe(409);
      expect((await register()).status).toBe(registration === 'open' ? 201 : 403);
    },
  );

  test('anyone may register without REGISTRATION and without a choice of the first account', async () => {
    service = await createTestService();
    const { token: first } = await register();
    const { token: second, status } = await register({ othersMayRegister: false });
    expect(status).toBe(201);
    expect(await rule(first)).toEqual({ registration: 'open', isOwner: true, isFixed: false });
    expect(await rule(second)).toEqual({ registration: 'open', isOwner: false, isFixed: false });
    expect(await ask()).toMatchObject({ registration: 'open' });
  });

  test('the first account may keep others out, and let them in later', async () => {
    service = await createTestService();
    const { token } = await register({ othersMayRegister: false });
    expect(await ask()).toEqual({ needsSetup: false, needsCode: false, registration: 'closed' });
    expect((await register()).status).toBe(403);
    expect((await change(token, 'open')).body).toEqual({
      registration: 'open',
      isOwner: true,
      isFixed: false,
    });
    const { status, token: other } = await register();
    expect(status).toBe(201);
    expect((await change(other, 'closed')).status).toBe(403);
    expect((await change(token, 'closed')).status).toBe(200);
    expect((await register()).status).toBe(403);
  });

  test('where strangers reach the server, who knows the code owns it, and not who comes first', async () => {
    service = await createTestService({}, { setupCode: CODE });
    expect(await ask()).toEqual({ needsSetup: true, needsCode: true, registration: 'open' });
    const stranger = await register({ othersMayRegister: false });
    expect(stranger.status).toBe(201); // the API stays open
    expect(await rule(stranger.token)).toMatchObject({ isOwner: false });
    expect(await ask()).toMatchObject({ needsSetup: true, needsCode: true, registration: 'open' });
    expect(await register({ setupCode: 'a2C4e6G8i0K2' })).toMatchObject({ status: 400 });
    expect(await register({ setupCode: '' })).toMatchObject({ status: 400 });

    const owner = await register({ setupCode: ` ${CODE} `, othersMayRegister: false });
    expect(owner.status).toBe(201);
    expect(await rule(owner.token)).toEqual({ registration: 'closed', isOwner: true, isFixed: false });
    expect(await ask()).toEqual({ needsSetup: false, needsCode: false, registration: 'closed' });
    // It opens nothing a second time.
    expect((await register({ setupCode: CODE })).status).toBe(403);
  });

  test('with REGISTRATION=closed the first account needs the code from elsewhere', async () => {
    service = await createTestService({ registration: 'closed' }, { setupCode: CODE });
    const stranger = await register();
    expect({ status: stranger.status, body: stranger.message }).toEqual(
      refusal(
        403,
        'FORBIDDEN',
        'Registration is closed: the first account needs setupCode, the code that the server printed at its last start',
      ),
    );
    const owner = await register({ setupCode: CODE });
    expect(await rule(owner.token)).toMatchObject({ isOwner: true });
    expect(await register({ setupCode: CODE })).toMatchObject({ status: 403 });
  });

  describe('over a socket', () => {
    async function setUp(settings: Partial<Config>, headers: Record<string, string> = {}) {
      service = await createTestService(settings, { setupCode: CODE });
      service.app.listen({ port: 0, hostname: '127.0.0.1' });
      const address = `http://127.0.0.1:${service.app.server?.port}/api/v1/auth`;
      const asked = await fetch(`${address}/setup`, { headers });
      people += 1;
      const registered = await fetch(`${address}/register`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: `new-${people}@example.com`, password: PASSWORD }),
      });
      const { needsCode } = (await asked.json()) as { needsCode: boolean };
      const { tokens } = (await registered.json()) as { tokens?: { accessToken: string } };
      const isOwner = tokens && (await rule(tokens.accessToken)).isOwner;
      await service.app.server?.stop(true);
      return { needsCode, status: registered.status, ...(tokens && { isOwner }) };
    }

    const THROUGH_A_PROXY = { Origin: 'https://meter.example.com' };
    test.each<
      [
        string,
        Partial<Config>,
        Record<string, string>,
        { needsCode: boolean; status: number; isOwner?: boolean },
      ]
    >([
      ['a direct request needs no code', {}, {}, { needsCode: false, status: 201, isOwner: true }],
      [
        'a direct request needs no code with REGISTRATION=closed',
        { registration: 'closed' },
        {},
        { needsCode: false, status: 201, isOwner: true },
      ],
      [
        'a request through a proxy without headers does not own the server',
        {},
        THROUGH_A_PROXY,
        { needsCode: true, status: 201, isOwner: false },
      ],
      [
        'a request through a proxy without headers is refused with REGISTRATION=closed',
        { registration: 'closed' },
        THROUGH_A_PROXY,
        { needsCode: true, status: 403 },
      ],
      [
        'a direct request does not own a server that others reach',
        { host: '0.0.0.0' },
        {},
        { needsCode: true, status: 201, isOwner: false },
      ],
    ])('%s', async (_, settings, headers, expected) => {
      expect(await setUp(settings, headers)).toEqual(expected);
    });
  });

  test('no user inherits the server of a deleted owner', async () => {
    service = await createTestService();
    const { token } = await register();
    const body = { password: PASSWORD };
    await register();
    expect((await service.send('DELETE', '/api/v1/auth/me', { token, body })).status).toBe(200);
    const { token: later } = await register();
    expect(await rule(later)).toMatchObject({ isOwner: false });
  });
});
