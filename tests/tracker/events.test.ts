import { describe, expect, test } from 'bun:test';
import type { BeforeSend, EventProperties } from '../../tracker/index.d.ts';
import { CODE, openPage, type Page, START_MS } from '../support/tracker-page.ts';

const quietPage = (tag: Record<string, string> = {}) =>
  openPage({ tag: { 'data-tracking-code': CODE, 'data-auto': 'false', ...tag } });

const properties = async (page: Page) => {
  await page.flush();
  return page.events.map(({ eventType, properties }) => ({ eventType, properties }));
};

describe('an event', () => {
  test('carries what the server accepts, and nothing else', async () => {
    const page = openPage({
      referrer: 'https://search.example/',
      globals: { screen: { width: 1920, height: 1080 } },
    });
    await page.flush();
    const [event] = page.events;
    expect(event).toEqual({
      id: event?.id ?? '',
      trackingCode: CODE,
      eventType: 'pageview',
      url: 'https://site.example/start',
      referrer: 'https://search.example/',
      sessionId: event?.sessionId ?? '',
      visitorId: event?.visitorId ?? '',
      screen: '1920x1080',
      timestamp: START_MS,
    });
  });

  test('keeps the time when it happened, however late it is sent', async () => {
    const page = openPage({ answer: (_request, index) => (index < 3 ? 503 : 201) });
    await page.pass(600_000);
    expect(page.events.map(({ timestamp }) => timestamp)).toEqual(Array(4).fill(START_MS));
  });

  test('keeps addresses within the bounds of the server', async () => {
    const long = `https://site.example/${'x'.repeat(3_000)}`;
    const page = openPage({ url: long, referrer: long });
    await page.flush();
    const [event] = page.events;
    expect([event?.url, event?.referrer].map((text) => text?.length)).toEqual([
      2_048,
      'https://site.example'.length,
    ]);
  });

  test.each([
    ['an iPad that pretends to be a Mac', 'MacIntel', 5, 'tablet'],
    ['a Mac', 'MacIntel', 0, undefined],
    ['a laptop with a touch screen', 'Win32', 10, undefined],
    ['an iPhone', 'iPhone', 5, undefined],
    ['an iPad that asks for mobile pages', 'iPad', 5, undefined],
  ])('says what the server cannot know of the device: %s', async (_name, platform, maxTouchPoints, type) => {
    const page = openPage({ navigator: { platform, maxTouchPoints } });
    await page.flush();
    expect(page.events.map(({ deviceType }) => deviceType)).toEqual([type as 'tablet']);
  });
});

describe('track()', () => {
  test.each<[string, Parameters<Page['tracker']['track']>, unknown]>([
    ['takes a type as the type', ['click', { a: 1 }], { eventType: 'click', properties: { a: 1 } }],
    ['takes custom as the type', ['custom', { a: 1 }], { eventType: 'custom', properties: { a: 1 } }],
    ['takes another word as a name', ['signup'], { eventType: 'custom', properties: { name: 'signup' } }],
    [
      'puts the name before a property of that name',
      ['signup', { name: 'other', plan: 'pro' }],
      { eventType: 'custom', properties: { name: 'signup', plan: 'pro' } },
    ],
    ['leaves out properties that are empty', ['custom', {}], { eventType: 'custom', properties: undefined }],
    [
      'leaves out properties that are not an object',
      ['custom', ['x'] as unknown as EventProperties],
      { eventType: 'custom', properties: undefined },
    ],
    [
      'leaves out what JSON cannot hold',
      ['custom', { f: () => {}, u: undefined, s: Symbol('x'), n: 1 }],
      { eventType: 'custom', properties: { n: 1 } },
    ],
  ])('%s', async (_name, parameters, expected) => {
    const page = quietPage();
    page.tracker.track(...parameters);
    expect(await properties(page)).toEqual([expected as Awaited<ReturnType<typeof properties>>[number]]);
  });

  const circular: EventProperties = {};
  circular.self = circular;

  test.each<[string, EventProperties]>([
    ['circular', circular],
    ['a BigInt', { n: 1n }],
    [
      'a getter that throws',
      {
        get x() {
          throw new Error('mine');
        },
      },
    ],
  ])('drops an event with properties that cannot be copied, without an error: %s', async (_name, given) => {
    const page = quietPage();
    page.tracker.track('a', given);
    page.tracker.track('b');
    expect(await properties(page)).toEqual([{ eventType: 'custom', properties: { name: 'b' } }]);
  });

  test('copies the properties at once', async () => {
    const page = quietPage();
    const cart = { items: [1] };
    page.tracker.track('custom', cart);
    cart.items.push(2);
    expect(await properties(page)).toEqual([{ eventType: 'custom', properties: { items: [1] } }]);
  });
});

describe('beforeSend', () => {
  const sent = async (beforeSend: BeforeSend) => {
    const page = quietPage();
    page.tracker.init({ beforeSend });
    page.tracker.track('custom', { secret: 1, kept: 2 });
    page.tracker.track('custom', { kept: 3 });
    await page.flush();
    return page.events.map(({ url, properties }) => ({ url, properties }));
  };
  const url = 'https://site.example/start';

  test.each<[string, BeforeSend, unknown]>([
    [
      'changes the event in place',
      (event) => void delete event.properties?.secret,
      [{ kept: 2 }, { kept: 3 }],
    ],
    ['returns another event', (event) => ({ ...event, properties: { new: 1 } }), [{ new: 1 }, { new: 1 }]],
    ['drops an event by null', (event) => (event.properties?.secret ? null : event), [{ kept: 3 }]],
    ['drops an event by false', (event) => !event.properties?.secret && event, [{ kept: 3 }]],
    [
      'drops an event by throwing',
      (event) => {
        if (event.properties?.secret) throw new Error('mine');
      },
      [{ kept: 3 }],
    ],
  ])('%s', async (_name, beforeSend, expected) => {
    expect(await sent(beforeSend)).toEqual(
      (expected as EventProperties[]).map((properties) => ({ url, properties })),
    );
  });

  test.each<[string, BeforeSend, unknown]>([
    [
      'changes the event and returns nothing',
      async (event) => {
        await 0;
        delete event.properties?.secret;
      },
      [{ kept: 2 }, { kept: 3 }],
    ],
    ['drops an event', async (event) => (event.properties?.secret ? null : event), [{ kept: 3 }]],
    [
      'drops an event by rejecting',
      async (event) => {
        if (event.properties?.secret) throw new Error('mine');
      },
      [{ kept: 3 }],
    ],
  ])('may be asynchronous, and is waited for: %s', async (_name, beforeSend, expected) => {
    const page = quietPage();
    page.tracker.init({ beforeSend });
    page.tracker.track('custom', { secret: 1, kept: 2 });
    page.tracker.track('custom', { kept: 3 });
    await page.pass(5_000);
    expect(page.events.map(({ properties }) => properties)).toEqual(expected as EventProperties[]);
  });

  test('sends nothing if the visitor opts out while it is pending', async () => {
    const page = quietPage();
    page.tracker.init({ beforeSend: async (event) => event });
    page.tracker.track('a');
    page.tracker.optOut();
    await page.pass(60_000);
    expect(page.requests).toEqual([]);
  });

  test('is the name of a global function in data-before-send, which may come later', async () => {
    const page = quietPage({ 'data-before-send': 'scrub' });
    page.tracker.track('dropped, because there is no such function yet');
    page.window.scrub = (event: { url: string }) => {
      event.url = 'https://site.example/scrubbed';
    };
    page.tracker.track('b');
    await page.flush();
    expect(page.events.map(({ url }) => url)).toEqual(['https://site.example/scrubbed']);
  });
});
