import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import type { Website } from '../../src/contract/website.ts';
import { websites as table } from '../../src/db/schema.ts';
import type { TrackedWebsite } from '../../src/websites/store.ts';
import { createTrackedCache } from '../../src/websites/tracked-cache.ts';
import { type Api, startApi, type User } from './api.ts';

let api: Api;
let ada: User;
let website: Website;

beforeEach(async () => {
  api = await startApi();
  ada = await api.addUser();
  website = await api.websites.create(ada.id, { name: 'n', domain: 'https://example.com' });
});
afterEach(() => api.close());

const LIFETIME_MS = 2_000;

describe('what ingest asks about a tracking code', () => {
  test('is what it needs of the website, and afterwards known without a promise', async () => {
    const { id, trackingCode } = website;
    const expected = { key: 1, id, userId: ada.id, allowedOrigins: [], excludedIps: [] };
    expect(api.websites.trackedNow(trackingCode)).toBeUndefined();
    expect(await api.websites.findTracked(trackingCode)).toEqual(expected);
    expect(api.websites.trackedNow(trackingCode)).toEqual(expected);
    expect(await api.websites.findTracked(trackingCode)).toEqual(expected);
  });

  test.each(['pm-unknown-1', 'pm-', '', 'pm-\ud800', '__proto__', 'PM-x'])(
    'is remembered when there is no website for it: %j',
    async (code) => {
      expect(api.websites.trackedNow(code)).toBeUndefined();
      expect(await api.websites.findTracked(code)).toBeUndefined();
      expect(api.websites.trackedNow(code)).toBeNull();
    },
  );

  test('is asked again after two seconds, so that the changes of another process show', async () => {
    const { trackingCode } = website;
    await api.websites.findTracked(trackingCode);
    await api.db.update(table).set({ deletedAtMs: 1 }).where(eq(table.id, website.id));
    api.advanceCache(LIFETIME_MS - 1);
    expect(api.websites.trackedNow(trackingCode)).toBeDefined();
    api.advanceCache(1);
    expect(api.websites.trackedNow(trackingCode)).toBeUndefined();
    expect(await api.websites.findTracked(trackingCode)).toBeUndefined();
  });

  test('follows a change of the settings at once', async () => {
    const { trackingCode } = website;
    await api.websites.findTracked(trackingCode);
    await api.send('PATCH', `/websites/${website.id}/settings`, ada, { excludedIps: ['203.0.113.7'] });
    expect(api.websites.trackedNow(trackingCode)).toBeUndefined();
    expect(await api.websites.findTracked(trackingCode)).toMatchObject({ excludedIps: ['203.0.113.7'] });
  });

  test('is forgotten at once when the website is changed, and kept when nothing changes', async () => {
    const { trackingCode } = website;
    await api.websites.findTracked(trackingCode);
    await api.send('PUT', `/websites/${website.id}`, ada, {});
    expect(api.websites.trackedNow(trackingCode)).toBeDefined();
    await api.send('PUT', `/websites/${website.id}`, ada, { name: 'x' });
    expect(api.websites.trackedNow(trackingCode)).toBeUndefined();
  });

  test('is unknown when the account is gone', async () => {
    await api.db.update(table).set({ userId: null });
    expect(await api.websites.findTracked(website.trackingCode)).toBeUndefined();
  });
});

describe('the cache of tracking codes', () => {
  const tracked: TrackedWebsite = { key: 1, id: 'id', userId: 'u', allowedOrigins: [], excludedIps: [] };
  function createCache() {
    const asked: string[][] = [];
    let gate = Promise.resolve();
    const cache = createTrackedCache({
      monotonicMs: () => 0,
      load: async (codes) => {
        asked.push([...codes]);
        const found = new Map(
          codes.filter((code) => code.startsWith('known')).map((code) => [code, tracked]),
        );
        await gate;
        return found;
      },
    });
    /** Answers are held back until the returned function is called. */
    function hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    }
    return { ...cache, asked, hold };
  }

  test('asks once for all codes of one turn of the event loop, each of them once', async () => {
    const { find, asked } = createCache();
    const codes = ['known-1', 'b', 'known-1', 'c'];
    expect(await Promise.all(codes.map(find))).toEqual([tracked, undefined, tracked, undefined]);
    expect(asked).toEqual([['known-1', 'b', 'c']]);
  });

  test('does not keep what was read before a change and arrives after it', async () => {
    const { find, findNow, forget, hold } = createCache();
    const release = hold();
    const finding = find('known-1');
    await Promise.resolve();
    forget('known-1');
    release();
    await finding;
    expect(findNow('known-1')).toBeUndefined();
  });

  test('holds 10,000 codes, and then lets the oldest go', async () => {
    const { find, findNow } = createCache();
    await find('known-1');
    await Promise.all(Array.from({ length: 9_999 }, (_, index) => find(`x-${index}`)));
    expect(findNow('known-1')).toEqual(tracked);
    await find('one more');
    expect(findNow('known-1')).toBeUndefined();
    expect(findNow('x-0')).toBeNull();
  });

  test('passes a failure of the database on and asks again the next time', async () => {
    let isBroken = true;
    const { find, findNow } = createTrackedCache({
      monotonicMs: () => 0,
      load: async () => {
        if (isBroken) throw new Error('locked');
        return new Map([['known-1', tracked]]);
      },
    });
    await expect(find('known-1')).rejects.toThrow('locked');
    expect(findNow('known-1')).toBeUndefined();
    isBroken = false;
    expect(await find('known-1')).toEqual(tracked);
  });
});
