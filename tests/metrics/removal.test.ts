import { expect, test } from 'bun:test';
import { DAY_MS, startMetrics } from './support.ts';

test('what a website no longer keeps is in no answer', async () => {
  const service = await startMetrics();
  await service.track([
    { at: 20 * DAY_MS, visitor: 'old', page: '/old' },
    { at: 1_000, visitor: 'new', page: '/new' },
  ]);
  await service.changeSettings({ retentionDays: 10 });
  await service.cleaner.wake();
  expect(await service.get('/stats')).toMatchObject({ visitors: 1, events: 1 });
  expect(await service.get('/pages')).toMatchObject({ pages: [{ page: '/new' }] });
  expect((await service.ask('/visitors/old')).status).toBe(404);
  const listed = await service.send('GET', `/api/v1/events?trackingCode=${service.website.trackingCode}`, {
    token: service.ada.token,
  });
  expect(listed.body).toMatchObject({ pagination: { total: 1 } });
  expect(service.errors).toEqual([]);
  await service.close();
});
