import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { truncateLog } from '../../src/db/truncate-log.ts';
import { followOn } from '../support/follow-on.ts';
import { createTestService } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagemeter-remains-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EVENTS_EACH = 300;
const FILLING = 'x'.repeat(400);
/** One as text, one that is stored as 16 bytes. */
const ERASED_NAME = 'erased-visitor-of-the-first-site';
const ERASED_UUID = 'c0ffee00-1111-4222-8333-444455556666';
const DELETED = 'deleted-website';

test('nothing of an erased visitor, erased events or a deleted website is left in the bytes of the files', async () => {
  const path = join(folder, 'pagemeter.db');
  const service = await createTestService({ database: { kind: 'file', path } });
  const ada = await service.signUp();
  const kept = await service.addWebsite(ada.token);
  const gone = await service.addWebsite(ada.token, 'https://gone.example');
  const request = (method: string, rest: string, body?: object) =>
    service.send(method, `/api/v1/websites/${rest}`, { token: ada.token, ...(body && { body }) });

  for (const [trackingCode, visitorId, word] of [
    [kept.trackingCode, ERASED_NAME, 'secret-of-the-visitor'],
    [kept.trackingCode, ERASED_UUID, 'secret-of-the-other'],
    [kept.trackingCode, 'spammer', 'erased-by-filter'],
    [kept.trackingCode, 'other', 'of-another-visitor'],
    [gone.trackingCode, DELETED, DELETED],
  ]) {
    const events = Array.from({ length: EVENTS_EACH }, (_, index) => ({
      trackingCode,
      eventType: 'pageview',
      url: `https://example.com/${word}/${index}?utm_campaign=${word}`,
      visitorId,
      sessionId: `${word}-${index}`,
      properties: { note: `${word} ${FILLING}` },
    }));
    expect((await service.send('POST', '/api/v1/events/batch', { body: { events } })).status).toBe(201);
  }
  // Everything is derived and written, as after a while of running.
  for (const { id } of [kept, gone]) await request('GET', `${id}/stats`);
  await service.analytics.rebuild();
  const words = ['visitor', 'other'].map((end) => `secret-of-the-${end}`);
  const secrets = [ERASED_NAME, ERASED_UUID, ...words, 'erased-by-filter'];
  await truncateLog(requireLocal(service));
  for (const secret of [...secrets, DELETED]) expect(isIn(path, secret)).toBe(true);

  for (const visitorId of [ERASED_NAME, ERASED_UUID])
    expect((await request('DELETE', `${kept.id}/visitors/${visitorId}`)).status).toBe(200);
  const filters = [['contains', 'page', ['erased-by-filter']]];
  expect(
    await request('POST', `${kept.id}/erasures`, { period: 'all', filters, events: EVENTS_EACH }),
  ).toMatchObject({ status: 200, body: { eventsRemoved: EVENTS_EACH } });
  expect(await truncateLog(requireLocal(service))).toBe(true);
  for (const secret of secrets)
    expect({ secret, isThere: isIn(path, secret) }).toEqual({ secret, isThere: false });

  expect((await request('DELETE', gone.id)).status).toBe(200);
  while ((await findWebsite(service, gone.trackingCode)) > 0) await Bun.sleep(20);
  expect(service.errors).toEqual([]);
  await service.close();
  await followOn(path);
  // The audit log keeps the name of a website that was deleted.
  for (const secret of [...secrets, DELETED, gone.trackingCode])
    expect({ secret, isThere: isIn(path, secret) }).toEqual({ secret, isThere: false });
  expect(isIn(path, 'of-another-visitor')).toBe(true);
}, 60_000);

/** Whether a text, or the bytes of a UUID, are in the database or its write-ahead log, in use or not. */
function isIn(path: string, text: string): boolean {
  const bytes = [Buffer.from(text), Buffer.from(text.replaceAll('-', ''), 'hex')].filter(
    ({ length }) => length > 8,
  );
  return [path, `${path}-wal`]
    .filter((file) => existsSync(file))
    .some((file) => {
      const content = readFileSync(file);
      return bytes.some((wanted) => content.includes(wanted));
    });
}

type Service = Awaited<ReturnType<typeof createTestService>>;

function requireLocal({ database: { local } }: Service) {
  if (!local) throw new Error('A file is local.');
  return local;
}

async function findWebsite(service: Service, trackingCode: string): Promise<number> {
  const { rows } = await service.db.$client.execute({
    sql: 'SELECT key FROM websites WHERE tracking_code = ?',
    args: [trackingCode],
  });
  return rows.length;
}
