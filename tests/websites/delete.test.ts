import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Website } from '../../src/contract/website.ts';
import { type Api, NOT_FOUND, startApi, statusAndBody, type User } from './api.ts';

let api: Api;
let ada: User;
let website: Website;

beforeEach(async () => {
  api = await startApi();
  ada = await api.addUser();
  website = await api.websites.create(ada.id, { name: 'n', domain: 'https://example.com' });
});
afterEach(() => api.close());

const remove = async () => statusAndBody(await api.send('DELETE', `/websites/${website.id}`, ada));

describe('DELETE /websites/:id', () => {
  test('answers success and a message, and sets the removal of its events going', async () => {
    expect(await remove()).toEqual({ status: 200, body: { success: true, message: 'Website deleted' } });
    expect(api.deletions()).toBe(1);
  });

  test('answers 404 the second time', async () => {
    await remove();
    expect(await remove()).toEqual(NOT_FOUND);
    expect(api.deletions()).toBe(1);
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
    expect(statusAndBody(await api.send(method, `/websites/${website.id}${suffix}`, ada, body))).toEqual(
      NOT_FOUND,
    );
  });

  test('afterwards its tracking code is unknown, also to those who had it cached', async () => {
    const { trackingCode } = website;
    expect(await api.websites.findTracked(trackingCode)).toBeDefined();
    await remove();
    expect(api.websites.trackedNow(trackingCode)).toBeUndefined();
    expect(await api.websites.findTracked(trackingCode)).toBeUndefined();
    await expect(api.websites.requireOwnedByCode(ada.id, trackingCode)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Website with this tracking code not found',
    });
  });
});

describe('deleting an account', () => {
  test('deletes all of its websites and nobody else’s', async () => {
    const bob = await api.addUser();
    const second = await api.websites.create(ada.id, { name: 'n', domain: 'https://two.example' });
    const other = await api.websites.create(bob.id, { name: 'n', domain: 'https://example.com' });
    await Promise.all([website, second, other].map((site) => api.websites.findTracked(site.trackingCode)));
    await api.websites.removeAllOf(ada.id);
    const cached = [website, second].map((site) => api.websites.trackedNow(site.trackingCode));
    expect(cached).toEqual([undefined, undefined]);
    expect(await api.websites.list(ada.id)).toEqual([]);
    expect(await api.websites.list(bob.id)).toEqual([other]);
    expect(api.deletions()).toBe(1);
  });
});
