import { expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService } from '../support/service.ts';

test('a deleted account takes its websites along, and events for them are not found', async () => {
  const service = await createTestService();
  const [gone, stays] = [await service.signUp(), await service.signUp()];
  const [lost, kept] = [await service.addWebsite(gone.token), await service.addWebsite(stays.token)];
  const submit = ({ trackingCode }: { trackingCode: string }) =>
    service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) });
  expect([(await submit(lost)).status, (await submit(kept)).status]).toEqual([201, 201]);

  const removed = await service.send('DELETE', '/api/v1/auth/me', {
    token: gone.token,
    body: { password: gone.password },
  });
  expect(removed.status).toBe(200);
  expect([(await submit(lost)).status, (await submit(kept)).status]).toEqual([404, 201]);
  expect((await service.send('GET', '/api/v1/websites', { token: gone.token })).status).toBe(401);
  expect(service.errors).toEqual([]);
  await service.close();
});
