import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLineWriter } from '../../src/operations/line-writer.ts';
import { createRequestLog } from '../../src/operations/request-log.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, PASSWORD } from '../support/service.ts';

const directory = mkdtempSync(join(tmpdir(), 'pagemeter-log-'));
const path = join(directory, 'log');
afterEach(() => rmSync(path, { force: true }));
afterAll(() => rmSync(directory, { recursive: true }));

function readLines(): Record<string, unknown>[] {
  const text = readFileSync(path, 'utf8');
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
}

async function startLogged() {
  const fd = openSync(path, 'w');
  const requestLog = createRequestLog(createLineWriter({ fd, monotonicMs: () => 0 }), () => 0);
  const service = await createTestService({}, { requestLog });
  return {
    service,
    async close() {
      await service.close();
      await requestLog.close();
      closeSync(fd);
    },
  };
}

describe('the log of requests', () => {
  test('has a line for each, with the route and never what was in its address, headers or body', async () => {
    const { service, close } = await startLogged();
    const { email, token } = await service.signUp();
    const { headers } = await service.send('GET', '/api/v1/websites/secret-id/stats?secret=query', {
      token,
      headers: {
        'X-Forwarded-For': '192.0.2.77',
        'User-Agent': 'secret-agent',
        'X-Request-Id': 'secret-header',
      },
    });
    await service.send('GET', '/secret-path');
    await service.send('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } });
    await close();
    const text = readFileSync(path, 'utf8');
    for (const hidden of ['secret', '192.0.2', email, PASSWORD, token, 'localhost'])
      expect(text).not.toContain(hidden);
    expect(readLines().slice(1)).toEqual([
      {
        time: '1970-01-01T00:00:00.000Z',
        level: 'info',
        message: 'request',
        method: 'GET',
        route: '/api/v1/websites/:id/stats',
        status: 404,
        bytesIn: 0,
        id: headers.get('x-request-id'),
        ms: 0,
      },
      expect.objectContaining({ method: 'GET', status: 404 }),
      expect.objectContaining({ route: '/api/v1/auth/login', status: 200 }),
    ]);
  });

  test('sums up the requests that submit events', async () => {
    const { service, close } = await startLogged();
    const { trackingCode } = await service.addWebsite((await service.addUser()).apiKey);
    const submit = (code: string) => service.send('POST', '/api/v1/events', { body: eventFor(code) });
    const stored = await submit(trackingCode);
    await submit(trackingCode);
    const refused = await submit('unknown');
    await close();
    expect(stored.headers.get('x-request-id')).toBeNull();
    expect(refused.headers.get('x-request-id')).not.toBeNull();
    expect(readLines().filter(({ message }) => message !== 'request')).toEqual([
      expect.objectContaining({
        message: 'collection',
        requests: 3,
        statuses: { 201: 2, [refused.status]: 1 },
      }),
    ]);
    expect(readLines().filter(({ route }) => route === '/api/v1/events')).toEqual([]);
  });
});

describe('the writer of lines', () => {
  test('leaves out and counts what is beyond a thousand lines a second', async () => {
    const fd = openSync(path, 'w');
    let nowMs = 0;
    const lines = createLineWriter({ fd, monotonicMs: () => nowMs });
    for (let count = 0; count < 1_500; count += 1) lines.write('{}');
    nowMs = 1_000;
    lines.write('{"next":true}');
    await lines.close();
    closeSync(fd);
    expect(lines.dropped()).toBe(500);
    expect(readLines()).toHaveLength(1_001);
  });

  test('does not wait for an unread pipe, and stays bounded', async () => {
    const program = `
      import { createLineWriter } from '${join(import.meta.dir, '../../src/operations/line-writer.ts')}';
      let nowMs = 0;
      const lines = createLineWriter({ fd: 1, monotonicMs: () => nowMs });
      const line = 'x'.repeat(1_000);
      for (let round = 0; round < 20; round += 1) {
        nowMs += 1_000;
        for (let count = 0; count < 1_000; count += 1) lines.write(line);
        await Bun.sleep(20);
      }
      await lines.close();
      console.error(lines.dropped() > 10_000 ? 'bounded' : 'unbounded');
      process.exit(0);
    `;
    // A pipe by name: of its own ones Bun would read ahead.
    const pipe = join(directory, 'pipe');
    Bun.spawnSync(['mkfifo', pipe]);
    const readingEnd = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writingEnd = openSync(pipe, constants.O_WRONLY);
    const child = Bun.spawn([process.execPath, '-e', program], { stdout: writingEnd, stderr: 'pipe' });
    expect(await new Response(child.stderr).text()).toBe('bounded\n');
    closeSync(writingEnd);
    closeSync(readingEnd);
  });
});
