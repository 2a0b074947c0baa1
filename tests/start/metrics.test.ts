import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

/** The metrics of the real program: the engine in its thread, on a file. */
describe('the program', () => {
  const { path: dataDir, remove } = createDataDir();
  let service: ServiceProcess;
  let token: string;
  let website: { id: string; trackingCode: string };

  beforeAll(async () => {
    service = await startProcess({ DATA_DIR: dataDir });
    const registered = await post('/auth/register', {
      email: 'ada@example.com',
      password: 'Correct-horse-9',
    });
    token = registered.tokens.accessToken;
    website = await post('/websites', { name: 'n', domain: 'https://example.com' });
  });
  afterAll(async () => {
    await service.stop();
    remove();
  });

  async function post(path: string, body: object) {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    // The contract's answers; what is in them is what the tests look at.
    return (await response.json()) as {
      id: string;
      trackingCode: string;
      tokens: { accessToken: string };
    };
  }

  function get(path: string) {
    return fetch(`${service.url}/api/v1/websites/${website.id}${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  }

  /** Submitted by a person, as far as the service can tell. */
  async function visit(visitorId: string) {
    const { trackingCode } = website;
    const event = {
      trackingCode,
      eventType: 'pageview',
      url: 'https://example.com/a',
      visitorId,
      sessionId: 's',
    };
    const { status } = await fetch(`${service.url}/api/v1/events`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      },
      body: JSON.stringify(event),
    });
    expect(status).toBe(201);
  }

  test('answers with every event that it has acknowledged', async () => {
    await visit('a');
    await visit('b');
    const answer = await (await get('/stats/breakdown?dimension=browser&period=today')).json();
    expect(answer).toMatchObject({ rows: [{ value: 'Chrome', visitors: 2, pageviews: 2 }] });
  });

  test('erases a visitor', async () => {
    await visit('gone');
    const erased = await fetch(`${service.url}/api/v1/websites/${website.id}/visitors/gone`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await erased.json()).toMatchObject({ success: true, eventsRemoved: 1 });
    expect((await get('/visitors/gone')).status).toBe(404);
    expect(await (await get('/stats')).json()).toMatchObject({ visitors: 2 });
  });

  test('streams a change, and ends its streams on SIGTERM', async () => {
    const reader = (await get('/stats/realtime/stream')).body?.getReader();
    if (!reader) throw new Error('The stream has no body.');
    expect(visitorsIn((await reader.read()).value)).toBe(2);
    await visit('c');
    expect(visitorsIn((await reader.read()).value)).toBe(3);
    expect(await service.stop()).toBe(0);
    expect((await reader.read()).done).toBe(true); // a stream that is cut, as requests are that take too long, fails
  });
});

/** Visitors in a snapshot, as it is sent. */
function visitorsIn(chunk: Uint8Array | undefined): number | undefined {
  const [, data = 'null'] = /^event: snapshot\ndata: (.*)$/m.exec(new TextDecoder().decode(chunk)) ?? [];
  return JSON.parse(data)?.visitors;
}
