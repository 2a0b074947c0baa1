import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let server: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  service = await createTestService();
  server = Bun.serve({ port: 0, fetch: (request) => service.app.fetch(request) });
});
afterAll(async () => {
  await server.stop(true);
  await service.close();
});

/** Everything that the server sends until it closes, or until `isEnough`. */
async function exchange(request: string, isEnough = (_text: string) => false): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(server.port ?? 0, 'localhost', () => socket.write(request));
  let text = '';
  socket.on('data', (bytes) => {
    text += String(bytes);
    if (isEnough(text)) socket.destroy();
  });
  socket.on('close', () => resolve(text));
  socket.on('error', reject);
  return promise;
}

test.each(['GET /api/ping', 'GET /nowhere', 'OPTIONS /api/v1/events', 'GET /api/v1/auth/me'])(
  '%s says that the connection closes when the client asked for that',
  async (line) => {
    const head = `${line} HTTP/1.1\r\nHost: example.com\r\n`;
    expect(await exchange(`${head}Connection: Close\r\n\r\n`)).toMatch(/\r\nconnection: close\r\n/i);
    const kept = await exchange(`${head}\r\n`, (text) => text.includes('\r\n\r\n'));
    expect(kept).toStartWith('HTTP/1.1');
    expect(kept).not.toMatch(/\r\nconnection: close\r\n/i);
  },
);

/** The pipelining rule of docs/operations.md. A change of the runtime shows here. */
test('a request that comes before the answer to the one before ends the connection, and nothing is lost', async () => {
  const { apiKey } = await service.addUser();
  const { trackingCode } = await service.addWebsite(apiKey);
  const events = [1, 2].map(() => eventFor(trackingCode, { id: crypto.randomUUID() }));
  const requests = events.map((event) => {
    const text = JSON.stringify(event);
    return `POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  });
  expect(await exchange(requests.join(''))).toBe('');
  for (const request of requests)
    expect(await exchange(request, (text) => text.includes('\r\n\r\n'))).toStartWith('HTTP/1.1 201');
  const { body } = await service.send('GET', `/api/v1/events?trackingCode=${trackingCode}`, {
    token: apiKey,
  });
  expect(body.pagination.total).toBe(2);
});
