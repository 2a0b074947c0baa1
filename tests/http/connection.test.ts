import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
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
