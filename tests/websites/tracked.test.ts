import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import type { Website } from '../../src/contract/website.ts';
import { websites as table } from '../../src/db/schema.ts';
import type { TrackedWebsite } from '../../src/websites/store.ts';
import { createTrackedCache } from '../../src/websites/tracked-cache.ts';
import { createTestService, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let website: Website;

beforeEach(async () => {
  service = await createTestService();
  ada = await service.addUser();
  website = await service.websites.create(ada.id, { name: 'n', domain: 'https://example.com' });
});
afterEach(() => service.close());

const LIFETIME_MS = 2_000;

describe('what ingest asks about a tracking code', () => {
  test('is what it needs of the website, and afterwards known without a promise', async () => {
    const { id, trackingCode } = website;
    const expected = {
      key: 1,
      id,
      userId: ada.id,
      allowedOrigins: [],
      excludedRanges: [],
      leavesOutLocalPages: true,
      isCountryOnly: false,
      isAnonymous: false,
      hasAnonymous: false,
      timezone: 'UTC',
    };
    expect(service.websites.trackedNow(trackingCode)).toBeUndefined();
    expect(await service.websites.findTracked(trackingCode)).toEqual(expected);
    expect(service.websites.trackedNow(trackingCode)).toEqual(expected);
    expect(await service.websites.findTracked(trackingCode)).toEqual(expected);
  });

  test.each(['pm-unknown-1', 'pm-', '', 'pm-\ud800', '__proto__', 'PM-x'])(
    'is remembered when there is no website for it: %j',
    async (code) => {
      expect(service.websites.trackedNow(code)).toBeUndefined();
      expect(await service.websites.findTracked(code)).toBeUndefined();
      expect(service.websites.trackedNow(code)).toBeNull();
    },
  );

  test('is asked again after two seconds, so that the changes of another process show', async () => {
    const { trackingCode } = website;
    await service.websites.findTracked(trackingCode);
    await service.db.update(table).set({ deletedAtMs: 1 }).where(eq(table.id, website.id));
    service.clock.advance(LIFETIME_MS - 1);
    expect(service.websites.trackedNow(trackingCode)).toBeDefined();
    service.clock.advance(1);
    expect(service.websites.trackedNow(trackingCode)).toBeUndefined();
    expect(await service.websites.findTracked(trackingCode)).toBeUndefined();
  });

  test('follows a change of the settings at once', async () => {
    const { trackingCode } = website;
    await service.websites.findTracked(trackingCode);
    await service.send('PATCH', `/api/v1/websites/${website.id}/settings`, {
      token: ada.apiKey,
      body: { excludedIps: ['203.0.113.7'] },
    });
    expect(service.websites.trackedNow(trackingCode)).toBeUndefined();
    expect(await service.websites.findTracked(trackingCode)).toMatchObject({
      excludedRanges: [{ base: { text: '203.0.113.7' }, bits: 32 }],
    });
  });

  test('is forgotten at once when the website is changed, and kept when nothing changes', async () => {
    const { trackingCode } = website;
    await service.websites.findTracked(trackingCode);
    await service.send('PUT', `/api/v1/websites/${website.id}`, { token: ada.apiKey, body: {} });
    expect(service.websites.trackedNow(trackingCode)).toBeDefined();
    await service.send('PUT', `/api/v1/websites/${website.id}`, { token: ada.apiKey, body: { name: 'x' } });
    expect(service.websites.trackedNow(trackingCode)).toBeUndefined();
  });

  test('is unknown when the account is gone', async () => {
    await service.db.update(table).set({ userId: null });
    expect(await service.websites.findTracked(website.trackingCode)).toBeUndefined();
  });
});

describe('the cache of tracking codes', () => {
  const tracked: TrackedWebsite = {
    key: 1,
    id: 'id',
    userId: 'u',
    allowedOrigins: [],
    excludedRanges: [],
    leavesOutLocalPages: true,
    isCountryOnly: false,
    isAnonymous: false,
    hasAnonymous: false,
    timezone: 'UTC',
  };
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
