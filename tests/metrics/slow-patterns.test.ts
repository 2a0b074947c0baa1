import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

/** The real process: the engine works in a thread of its own there. */
const dataDir = createDataDir();
let service: ServiceProcess;
let path: string;
beforeAll(async () => {
  service = await startProcess({ DATA_DIR: dataDir.path });
  const account = { email: 'ada@example.com', password: 'Correct-horse-9' };
  const { tokens } = await send<{ tokens: { accessToken: string } }>('POST', '/auth/register', account);
  const token = tokens.accessToken;
  const site = { name: 'Shop', domain: 'https://shop.example' };
  const { id, trackingCode } = await send<{ id: string; trackingCode: string }>(
    'POST',
    '/websites',
    site,
    token,
  );
  await send('PATCH', `/websites/${id}/settings`, { isPublic: true }, token);
  path = `/api/v1/websites/${id}/stats`;
  for (let batch = 0; batch < PAGES; batch += 1_000)
    await send('POST', '/events/batch', {
      events: Array.from({ length: 1_000 }, (_, index) => ({
        trackingCode,
        eventType: 'pageview',
        url: `https://shop.example/${'a'.repeat(240)}${batch + index}`,
        sessionId: 's',
        visitorId: 'v',
      })),
    });
});
afterAll(async () => {
  await service.stop();
  dataDir.remove();
});

const PAGES = 10_000;

async function send<Answer>(method: string, to: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(`${service.url}/api/v1${to}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer; // the contract's
}

async function ask(...filters: unknown[]) {
  const response = await fetch(
    `${service.url}${path}?filters=${encodeURIComponent(JSON.stringify(filters))}`,
  );
  return { status: response.status, body: await response.json() };
}

test('patterns that take minutes are refused with the reason, and the next question is answered', async () => {
  const dear = Array.from({ length: 10 }, (_, index) => `(.?){120}(a?){100}c${index}`);
  const fault =
    'The conditions take too long on so many values, or the account has used its time for patterns: use fewer or shorter ones, or try again in a minute';
  expect(await ask(['matches', 'page', dear])).toEqual({
    status: 400,
    body: {
      error: 'VALIDATION_ERROR',
      message: fault,
      details: { formErrors: [fault], fieldErrors: {} },
    },
  });
  expect(await ask(['matches', 'page', ['^/a+7$']], ['like', 'page', ['/**a7']])).toMatchObject({
    status: 200,
    body: { pageviews: 1 },
  });
}, 60_000);
