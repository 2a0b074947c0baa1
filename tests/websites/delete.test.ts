import { afterAll, beforeAll, beforeEach, describe, expect, type Mock, spyOn, test } from 'bun:test';
import type { Website } from '../../src/contract/website.ts';
import { NO_WEBSITE } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let website: Website;
/** Tells the cleaner that there is something to remove. */
let wake: Mock<() => Promise<void>>;

beforeAll(async () => {
  service = await createTestService();
  wake = spyOn(service.cleaner, 'wake');
});
beforeEach(async () => {
  wake.mockClear();
  ada = await service.addUser();
  website = await service.websites.create(ada.id, { name: 'n', domain: 'https://example.com' });
});
afterAll(() => service.close());

const remove = async () =>
  statusAndBody(await service.send('DELETE', `/api/v1/websites/${website.id}`, { token: ada.apiKey }));

describe('DELETE /websites/:id', () => {
  test('answers success and a message, and sets the removal of its events going', async () => {
    expect(await remove()).toEqual({ status: 200, body: { success: true, message: 'Website deleted' } });
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('answers 404 the second time', async () => {
    await remove();
    expect(await remove()).toEqual(NO_WEBSITE);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('is done once when asked ten times at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, remove));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });

  test.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/settings'],
    ['PATCH', '/settings'],
  ])('afterwards %s /websites/:id%s answers 404', async (method, suffix) => {
    await remove();
    const body = method === 'GET' ? undefined : {};
    expect(
      statusAndBody(
        await service.send(method, `/api/v1/websites/${website.id}${suffix}`, {
          token: ada.apiKey,
          body,
        }),
      ),
    ).toEqual(NO_WEBSITE);
  });

  test('afterwards its tracking code is unknown, also to those who had it cached', async () => {
    const { trackingCode } = website;
    expect(await service.websites.findTracked(trackingCode)).toBeDefined();
    await remove();
    expect(service.websites.trackedNow(trackingCode)).toBeUndefined();
    expect(await service.websites.findTracked(trackingCode)).toBeUndefined();
    expect(await service.websites.findByCode(trackingCode)).toBeUndefined();
  });
});

describe('deleting an account', () => {
  test('deletes all of its websites and no others', async () => {
    const bob = await service.addUser();
    const second = await service.websites.create(ada.id, { name: 'n', domain: 'https://two.example' });
    const other = await service.websites.create(bob.id, { name: 'n', domain: 'https://example.com' });
    await Promise.all(
      [website, second, other].map((site) => service.websites.findTracked(site.trackingCode)),
    );
    await service.websites.removeAllOf(ada.id);
    const cached = [website, second].map((site) => service.websites.trackedNow(site.trackingCode));
    expect(cached).toEqual([undefined, undefined]);
    expect(await service.websites.listVisible(ada.id)).toEqual({ rows: [], total: 0 });
    expect(await service.websites.listVisible(bob.id)).toEqual({ rows: [other], total: 1 });
    expect(wake).toHaveBeenCalledTimes(1);
  });
});
