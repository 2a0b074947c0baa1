import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Umami } from '@umami/node';
import MatomoTracker from 'matomo-tracker';
import Plausible from 'plausible-tracker';
import { createTestService } from '../support/service.ts';

/** Other products' own packages send to the service, as they send to their own. */

const UUID = '8f6f0c1a-52ff-4a58-a1ce-6b0d9a1f0c11';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
let service: Awaited<ReturnType<typeof createTestService>>;
let token: string;
let website: { id: string; trackingCode: string };
let url: string;

beforeAll(async () => {
  service = await createTestService({ compatible: ['umami', 'plausible', 'matomo'] });
  ({ token } = await service.signUp());
  website = await service.addWebsite(token);
  await setOldIds(website.id, [`umami:${UUID}`, 'plausible:example.com', 'matomo:7']);
  service.app.listen({ port: 0, hostname: '127.0.0.1' });
  url = `http://127.0.0.1:${service.app.server?.port}`;
});
afterAll(async () => {
  await service.app.server?.stop(true);
  await service.close();
});

function setOldIds(id: string, oldIds: string[]) {
  return service.send('PATCH', `/api/v1/websites/${id}/settings`, { token, body: { oldIds } });
}

/** The latest event with its properties, once there are so many. */
async function latest(count: number) {
  for (;;) {
    const list = `/api/v1/events?trackingCode=${website.trackingCode}&limit=100`;
    const { body } = await service.send('GET', list, { token });
    if (body.events.length >= count) {
      const { id } = body.events[0];
      return (await service.send('GET', `/api/v1/events/${id}`, { token })).body;
    }
    await Bun.sleep(10);
  }
}

async function countStored(): Promise<number> {
  const list = `/api/v1/events?trackingCode=${website.trackingCode}&limit=1`;
  return (await service.send('GET', list, { token })).body.pagination.total;
}

test('the package of Umami sends pageviews and events', async () => {
  const before = await countStored();
  const umami = new Umami({ websiteId: UUID, hostUrl: url, userAgent: CHROME });
  const page = {
    hostname: 'example.com',
    url: '/pricing?utm_source=news',
    referrer: 'https://a.example/',
    title: 'Pricing',
  };
  const answer = await umami.track({ ...page, screen: '1920x1080', language: 'de-DE' });
  expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: { cache: '' } });
  expect(await latest(before + 1)).toMatchObject({
    eventType: 'pageview',
    url: 'https://example.com/pricing?utm_source=news',
    referrer: 'https://a.example/',
    browser: 'Chrome',
    screen: '1920x1080',
    language: 'de-DE',
  });
  await umami.track({ ...page, name: 'purchase', data: { revenue: 19.9, currency: 'EUR', plan: 'pro' } });
  expect(await latest(before + 2)).toMatchObject({
    eventType: 'custom',
    properties: { name: 'purchase', plan: 'pro', revenue: { amount: '19.9', currency: 'EUR' } },
  });
  expect((await umami.identify({ plan: 'pro' })).status).toBe(200);
  expect(await countStored()).toBe(before + 2);
});

test('the package of Plausible sends pageviews and events', async () => {
  const before = await countStored();
  const sent: Promise<unknown>[] = [];
  // The package is for browsers: its requests are sent here by fetch.
  class Request {
    #url = '';
    readyState = 0;
    onreadystatechange = () => {};
    open(_method: string, address: string): void {
      this.#url = address;
    }
    setRequestHeader(): void {}
    send(body: string): void {
      const headers = { 'User-Agent': CHROME, 'Content-Type': 'text/plain' };
      sent.push(fetch(this.#url, { method: 'POST', body, headers }).then(({ status }) => status));
    }
  }
  const page = new URL('https://example.com/docs');
  const globals = {
    XMLHttpRequest: Request,
    location: page,
    document: { referrer: '' },
    window: { innerWidth: 1200 },
  };
  Object.assign(globalThis, globals);
  try {
    const plausible = Plausible({ domain: 'example.com', apiHost: url });
    plausible.trackPageview({ url: 'https://example.com/docs', referrer: 'https://b.example/' });
    plausible.trackEvent('Signup', { props: { method: 'mail' } }, { url: 'https://example.com/join' });
  } finally {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
  }
  expect(await Promise.all(sent)).toEqual([202, 202]);
  const { body } = await service.send('GET', `/api/v1/events?trackingCode=${website.trackingCode}&limit=2`, {
    token,
  });
  expect(await countStored()).toBe(before + 2);
  expect(body.events).toContainEqual(
    expect.objectContaining({
      eventType: 'pageview',
      url: 'https://example.com/docs',
      referrer: 'https://b.example/',
    }),
  );
  expect(body.events).toContainEqual(
    expect.objectContaining({ eventType: 'custom', url: 'https://example.com/join' }),
  );
});

test('the package of Matomo sends one by one, and several at once', async () => {
  const before = await countStored();
  const matomo = new MatomoTracker(7, `${url}/matomo.php`);
  matomo.track({
    url: 'https://example.com/blog',
    urlref: 'https://c.example/',
    _id: '0123456789abcdef',
    ua: CHROME,
    res: '800x600',
  });
  expect(await latest(before + 1)).toMatchObject({
    eventType: 'pageview',
    url: 'https://example.com/blog',
    referrer: 'https://c.example/',
    visitorId: '0123456789abcdef',
    browser: 'Chrome',
    screen: '800x600',
  });
  const event = { url: 'https://example.com/blog', e_c: 'video', e_a: 'play', e_n: 'intro', ua: CHROME };
  const answer = await new Promise((resolve) =>
    matomo.trackBulk([event, { url: 'nowhere' }, { url: event.url, link: 'https://d.example/' }], resolve),
  );
  expect(JSON.parse(String(answer))).toEqual({ status: 'success', tracked: 2, invalid: 1 });
  expect(await latest(before + 3)).toMatchObject({
    eventType: 'click',
    properties: { href: 'https://d.example/', type: 'outbound' },
  });
});

test('the script of Matomo is answered with an image, also to a form, and a ping counts nothing', async () => {
  const before = await countStored();
  const query = 'idsite=7&rec=1&url=https%3A%2F%2Fexample.com%2F';
  const image = await fetch(`${url}/matomo.php?${query}`);
  expect({ status: image.status, type: image.headers.get('content-type') }).toEqual({
    status: 200,
    type: 'image/gif',
  });
  const form = { method: 'POST', body: new URLSearchParams(`${query}&send_image=0`) };
  const posted = await fetch(`${url}/matomo.php`, form);
  expect(posted.status).toBe(204);
  expect(posted.headers.get('access-control-allow-origin')).toBe('*');
  expect((await fetch(`${url}/matomo.php?${query}&ping=1`)).status).toBe(200);
  expect(await countStored()).toBe(before + 2);
});

test.each([
  ['/api/send', { type: 'event', payload: { website: 'unknown', url: '/' } }, 404],
  ['/api/send', { type: 'event' }, 400],
  ['/api/event', { n: 'pageview', d: 'unknown.example', u: 'https://unknown.example/' }, 404],
  ['/api/event', [], 400],
  ['/api/event', { n: 'pageview', d: 'example.com', u: 'javascript:alert(1)' }, 400],
])('%s refuses %j with %d', async (path, body, status) => {
  expect((await service.send('POST', path, { body })).status).toBe(status);
});

test('an old id is of one website, and has the form of its product', async () => {
  const other = await service.addWebsite(token, 'https://other.example');
  const taken = await setOldIds(other.id, ['matomo:8', 'matomo:7']);
  expect(taken).toMatchObject({
    status: 400,
    body: { details: { fieldErrors: { oldIds: ['1: Another website of this server has this old id'] } } },
  });
  expect((await setOldIds(other.id, ['fathom:1'])).status).toBe(400);
  expect((await setOldIds(other.id, ['matomo:8'])).body.oldIds).toEqual(['matomo:8']);
});

test('without the setting there are no such paths', async () => {
  const plain = await createTestService();
  for (const path of ['/api/send', '/api/event', '/matomo.php'])
    expect((await plain.send('POST', path, { body: {} })).status).toBe(404);
  await plain.close();
});
