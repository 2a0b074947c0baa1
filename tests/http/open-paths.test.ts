import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

/** The script and the collection under names of the settings, several at once, next to those of the contract. */

let service: TestService;
let trackingCode: string;
let token: string;

beforeAll(async () => {
  service = await createTestService({
    paths: { scripts: ['/a/x.js', '/m.js'], collect: ['/q/e', '/m'] },
  });
  ({ token } = await service.signUp());
  const website = { name: 'Mine', domain: 'https://example.com' };
  const { body } = await service.send('POST', '/api/v1/websites', { body: website, token });
  trackingCode = (body as { trackingCode: string }).trackingCode;
});
afterAll(() => service.close());

const SCRIPTS: [script: string, collect: string][] = [
  ['/a/x.js', '"../q/e"'],
  ['/m.js', '"q/e"'],
  ['/tracker.js', '"api/v1/events"'],
];
test.each(SCRIPTS)('the script at %s is open to all and sends to %s', async (path, collect) => {
  const answer = await service.app.handle(new Request(`http://localhost${path}`));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const text = await answer.text();
  expect(text).toContain(collect);
  expect(text).not.toContain('@collect@');
});

describe.each(['/q/e', '/m', '/api/v1/events'])('events at %s', (path) => {
  test('are stored, one and several, from pages of any origin', async () => {
    const headers = { Origin: 'https://shop.test' };
    const event = eventFor(trackingCode);
    const one = await service.send('POST', path, { body: event, headers });
    expect(one.status).toBe(201);
    expect(one.headers.get('access-control-allow-origin')).toBe('*');
    const batch = await service.send('POST', `${path}/batch`, { body: { events: [event, event] }, headers });
    expect(batch).toMatchObject({ status: 201, body: { success: true, eventsCreated: 2 } });
  });

  test('a preflight allows them', async () => {
    const headers = { Origin: 'https://shop.test', 'Access-Control-Request-Method': 'POST' };
    const answer = await service.send('OPTIONS', `${path}/batch`, { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toBe('POST');
  });

  test('are refused in the usual form when they cannot be read', async () => {
    const answer = await service.send('POST', path, {
      rawBody: '{',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

test('the paths of the script and the events have no other routes', async () => {
  expect((await service.send('GET', '/m')).status).toBe(405);
  expect((await service.send('POST', '/m.js')).status).toBe(405);
  expect((await service.send('POST', '/m/other')).status).toBe(404);
});
