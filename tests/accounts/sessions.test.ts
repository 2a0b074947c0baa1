import { beforeEach, describe, expect, test } from 'bun:test';
import { refusal } from '../support/refusals.ts';
import {
  createTestService,
  PASSWORD,
  type Person,
  statusAndBody,
  type TestService,
} from '../support/service.ts';

const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const SESSIONS = '/api/v1/auth/sessions';
const DAY_MS = 86_400_000;
const NOT_FOUND = refusal(404, 'NOT_FOUND', 'Session not found');

let service: TestService;
let user: Person;
beforeEach(async () => {
  service = await createTestService();
  user = await service.signUp();
});

async function list(token = user.token) {
  return (await service.send('GET', SESSIONS, { token })).body;
}

function end(id: string, token = user.token) {
  return service.send('DELETE', `${SESSIONS}/${id}`, { token });
}

async function logInWith(userAgent: string): Promise<string> {
  const body = { email: user.email, password: PASSWORD };
  const answer = await service.send('POST', '/api/v1/auth/login', {
    body,
    headers: { 'User-Agent': userAgent },
  });
  return answer.body.tokens.accessToken;
}

describe('GET /auth/sessions', () => {
  test('lists the logins, the latest first, with what their browsers are called', async () => {
    service.clock.advance(DAY_MS);
    await logInWith(CHROME);
    service.clock.advance(1_000);
    await logInWith('nonsense');
    const id = expect.any(String) as unknown as string;
    expect(await list()).toEqual({
      sessions: [
        {
          id,
          client: null,
          createdAt: '2026-11-21T12:00:01.000Z',
          renewedAt: '2026-11-21T12:00:01.000Z',
          expiresAt: '2026-11-28T12:00:01.000Z',
          isCurrent: false,
        },
        {
          id,
          client: 'Chrome on macOS',
          createdAt: '2026-11-21T12:00:00.000Z',
          renewedAt: '2026-11-21T12:00:00.000Z',
          expiresAt: '2026-11-28T12:00:00.000Z',
          isCurrent: false,
        },
        {
          id,
          client: null,
          createdAt: '2026-11-20T12:00:00.000Z',
          renewedAt: '2026-11-20T12:00:00.000Z',
          expiresAt: '2026-11-27T12:00:00.000Z',
          isCurrent: true,
        },
      ],
      total: 3,
    });
  });

  test('shows when the tokens were renewed', async () => {
    service.clock.advance(DAY_MS);
    const { body } = await service.refresh(user.refreshToken);
    expect((await list(body.tokens.accessToken)).sessions).toMatchObject([
      {
        createdAt: '2026-11-20T12:00:00.000Z',
        renewedAt: '2026-11-21T12:00:00.000Z',
        expiresAt: '2026-11-28T12:00:00.000Z',
        isCurrent: true,
      },
    ]);
  });

  test('leaves out those that are over', async () => {
    const ended = await logInWith(CHROME);
    await service.send('POST', '/api/v1/auth/logout', { token: ended });
    service.clock.advance(6 * DAY_MS);
    const later = await logInWith(CHROME);
    service.clock.advance(DAY_MS);
    expect(await list(later)).toMatchObject({ sessions: [{ isCurrent: true }], total: 1 });
  });
});

describe('DELETE /auth/sessions/:id', () => {
  test('ends a login at once: its tokens get 401, the others stay', async () => {
    const other = await service.logIn(user.email);
    const { sessions } = await list(other.token);
    const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect(statusAndBody(await end(id))).toEqual({
      status: 200,
      body: { success: true, message: 'Session ended' },
    });
    expect(await service.statusWith(other.token)).toBe(401);
    expect((await service.refresh(other.refreshToken)).status).toBe(401);
    expect(await service.statusWith(user.token)).toBe(200);
    expect(statusAndBody(await end(id))).toEqual(NOT_FOUND);
  });

  test('ends the session of the caller too', async () => {
    const { sessions } = await list();
    expect((await end(sessions[0].id)).status).toBe(200);
    expect(await service.statusWith(user.token)).toBe(401);
  });

  test("answers 404 to another user's and to an unknown one, and nothing ends", async () => {
    const stranger = await service.signUp();
    const { sessions } = await list(stranger.token);
    for (const id of [sessions[0].id, 'unknown']) expect(statusAndBody(await end(id))).toEqual(NOT_FOUND);
    expect(await service.statusWith(stranger.token)).toBe(200);
  });
});
