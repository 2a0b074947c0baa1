import { afterEach, describe, expect, test } from 'bun:test';
import type { DiskSpace } from '../../src/operations/disk.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, PASSWORD, type TestService } from '../support/service.ts';

const GIB = 1024 ** 3;

let service: TestService;
let space: DiskSpace | undefined;
let warnings: string[];
afterEach(() => service.close());

async function start(
  at: DiskSpace | undefined,
): Promise<{ trackingCode: string; apiKey: string; id: string }> {
  space = at;
  warnings = [];
  service = await createTestService(
    {},
    { ...LOOKING, readDisk: () => space, onWarning: (message) => warnings.push(message) },
  );
  const { apiKey } = await service.addUser();
  return { apiKey, ...(await service.addWebsite(apiKey)) };
}

const submit = (code: string, changes = {}) =>
  service.send('POST', '/api/v1/events', { body: eventFor(code, changes) });
const LOOKING = { metricsToken: 'look-inside' };
const health = () => service.send('GET', '/api/health', { token: LOOKING.metricsToken });

describe('the floor of free disk', () => {
  const FLOORS: [string, DiskSpace, number][] = [
    ['2 % of a small volume', { sizeBytes: 10 * GIB, freeBytes: 0.2 * GIB }, 201],
    ['less than that', { sizeBytes: 10 * GIB, freeBytes: 0.2 * GIB - 1 }, 503],
    ['1 GiB of a large one', { sizeBytes: 1_000 * GIB, freeBytes: GIB }, 201],
    ['a byte less', { sizeBytes: 1_000 * GIB, freeBytes: GIB - 1 }, 503],
  ];
  test.each(FLOORS)('with %s free, events are taken or not', async (_, at, status) => {
    const { trackingCode } = await start(at);
    expect((await submit(trackingCode)).status).toBe(status);
  });

  test('is none where the disk is not known', async () => {
    const { trackingCode } = await start(undefined);
    expect((await submit(trackingCode)).status).toBe(201);
  });

  test('refuses events and demo data in words, and takes events again by itself', async () => {
    const { trackingCode, apiKey } = await start({ sizeBytes: 1_000, freeBytes: 19 });
    const batch = () =>
      service.send('POST', '/api/v1/events/batch', { body: { events: [eventFor(trackingCode)] } });
    const demo = () => service.send('POST', '/api/v1/demo', { token: apiKey });
    for (const answer of [await submit(trackingCode), await batch(), await demo()]) {
      expect(answer).toMatchObject({
        status: 503,
        body: {
          error: 'SERVICE_UNAVAILABLE',
          message: 'The disk is nearly full: no events are stored until there is room',
        },
      });
      expect(answer.headers.get('retry-after')).toBe('30');
    }
    expect(warnings).toEqual([
      'the disk of the database is nearly full: events are refused until there is room',
    ]);
    space = { sizeBytes: 1_000, freeBytes: 20 };
    service.clock.advance(500);
    expect((await submit(trackingCode)).status).toBe(201);
    expect((await batch()).status).toBe(201);
  });

  test('leaves people their logins, their settings and what they erase', async () => {
    const { trackingCode, apiKey, id } = await start({ sizeBytes: 1_000, freeBytes: 500 });
    await submit(trackingCode, { visitorId: 'ada' });
    space = { sizeBytes: 1_000, freeBytes: 0 };
    service.clock.advance(500);
    expect((await submit(trackingCode)).status).toBe(503);
    const body = { email: 'new@example.com', password: PASSWORD };
    const answers = [
      await service.send('POST', '/api/v1/auth/register', { body }),
      await service.send('POST', '/api/v1/auth/login', { body }),
      await service.send('PATCH', `/api/v1/websites/${id}/settings`, {
        token: apiKey,
        body: { retentionDays: 30 },
      }),
      await service.send('GET', `/api/v1/websites/${id}/stats`, { token: apiKey }),
      await service.send('DELETE', `/api/v1/websites/${id}/visitors/ada`, { token: apiKey }),
      await service.send('DELETE', `/api/v1/websites/${id}`, { token: apiKey }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200]);
  });

  test('is reported by /api/health: degraded below twice the floor, unavailable below it', async () => {
    await start({ sizeBytes: 1_000, freeBytes: 40 });
    expect(await health()).toMatchObject({ status: 200, body: { status: 'ok', reasons: [] } });
    space = { sizeBytes: 1_000, freeBytes: 39 };
    expect(await health()).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        reasons: ['The disk is nearly full'],
        checks: { ingest: { ok: true }, disk: { ok: false, freeBytes: 39 } },
      },
    });
    space = { sizeBytes: 1_000, freeBytes: 19 };
    expect(await health()).toMatchObject({
      status: 503,
      body: {
        status: 'unavailable',
        reasons: ['The disk is nearly full: events are refused'],
        checks: { ingest: { ok: false }, disk: { ok: false, freeBytes: 19 } },
      },
    });
  });
});
