import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rawRequest, sendRaw } from '../faults/stage/raw.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let url: string;
beforeAll(async () => {
  service = await createTestService();
  service.app.listen({ port: 0, hostname: '127.0.0.1' });
  url = `http://127.0.0.1:${service.app.server?.port}`;
});
afterAll(async () => {
  await service.app.stop(true);
  await service.close();
});

const HOSTS: [string, string[], number][] = [
  ['one', ['Host: localhost'], 200],
  ['two different ones', ['Host: localhost', 'Host: example.com'], 400],
  ['the same twice', ['Host: localhost', 'host: localhost'], 400],
  ['two in one line', ['Host: localhost, example.com'], 400],
  ['none', [], 400],
];
test.each(HOSTS)('a request with %s for its Host', async (_, lines, status) => {
  const answer = await sendRaw(url, rawRequest('GET', '/api/ping', lines));
  expect(answer?.status).toBe(status);
});

test('says which header is wrong', async () => {
  const answer = await sendRaw(url, rawRequest('GET', '/api/ping', ['Host: a', 'Host: b']));
  expect(JSON.parse(answer?.text ?? '')).toEqual({
    error: 'VALIDATION_ERROR',
    message: 'The request has more than one Host header',
    details: { formErrors: ['Only one Host header is allowed'], fieldErrors: {} },
  });
});
