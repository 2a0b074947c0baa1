import { describe, expect, test } from 'bun:test';
import { openPage, type PageOptions } from '../support/tracker-page.ts';

const DERIVED = '0f3c1a90-7b2e-8bb0-8f6d-5a1e3c9b2d40';

const openIn = (mode: string, options: PageOptions = {}) => {
  const page = openPage({ ...options, globals: { TRACKER_MODE: mode } });
  const kept = () => [page.stored, { ...page.window.sessionStorage } as Record<string, string>];
  const ids = () => page.events.map(({ anonymous, visitorId }) => visitorId ?? anonymous);
  return Object.assign(page, { kept, ids });
};
/** An area that must not be looked at. */
const UNTOUCHED = { localStorage: 'blocked', sessionStorage: 'blocked' } as const;

describe('the mode anonymous', () => {
  test('sends events without ids and looks at no storage', async () => {
    let looks = 0;
    const storage = () => {
      looks += 1;
      throw new Error('a look at the storage');
    };
    const page = openPage({ globals: { TRACKER_MODE: 'anonymous' }, answer: () => 'cut' });
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(page.window, name, { get: storage });
    page.tracker.track('a');
    page.hide();
    await page.pass(60_000);
    page.tracker.optOut();
    page.tracker.optIn();
    page.tracker.consent(true);
    expect(looks).toBe(0);
    expect(page.events[0]).toMatchObject({ anonymous: true });
    expect(page.events[0]).not.toHaveProperty('visitorId');
    expect(page.events[0]).not.toHaveProperty('sessionId');
  });

  test('keeps the id of an event over its attempts', async () => {
    const page = openIn('anonymous', { ...UNTOUCHED, answer: (_, index) => (index === 0 ? 'cut' : 201) });
    await page.pass(60_000);
    const [first, second] = page.requests.map(({ events }) => events[0]?.id);
    expect(second).toBe(first as string);
  });

  test('stops counting on the page after optOut()', async () => {
    const page = openIn('anonymous', UNTOUCHED);
    await page.flush();
    page.tracker.optOut();
    page.tracker.track('a');
    await page.flush();
    expect(page.sizes).toEqual([1]);
  });

  test('holds for a mode that is misspelt', async () => {
    const page = openIn('anonymus');
    await page.flush();
    expect([page.ids(), page.kept()]).toEqual([[true], [{}, {}]]);
  });
});

describe('the mode session', () => {
  test('keeps both ids, and what is not sent, in session storage', async () => {
    const page = openIn('session', { answer: () => 'cut' });
    page.hide();
    await page.pass(10_000);
    const [local, session] = page.kept();
    expect(local).toEqual({});
    expect(Object.keys(session as object).map((name) => name.replace(/ .*/, ''))).toEqual(
      expect.arrayContaining(['_at_visitor', '_at_session', '_at_https://stats.example/api/v1/events']),
    );
  });
});

describe('the mode consent', () => {
  const answer = () => Response.json({ visitorId: DERIVED }, { status: 201 });
  const openAsking = (options: PageOptions = {}) => openIn('consent', { answer, ...options });

  test('stores nothing and sends no ids before consent', async () => {
    const page = openAsking();
    page.tracker.track('a');
    page.hide();
    await page.pass(10_000);
    expect([page.ids(), page.kept()]).toEqual([
      [true, true],
      [{}, {}],
    ]);
  });

  test('lets the visitor keep the derived id after consent, on the next pages too', async () => {
    const page = openAsking();
    await page.flush();
    page.tracker.consent(true);
    page.tracker.track('a');
    await page.flush();
    page.tracker.track('b');
    await page.flush();
    const { localStorage, sessionStorage } = page.window;
    const next = openAsking({ localStorage, sessionStorage });
    next.tracker.consent(true);
    await next.flush();
    expect([page.ids(), next.ids()]).toEqual([[true, true, DERIVED], [DERIVED]]);
    expect(page.stored).toEqual({ _at_visitor: DERIVED });
    expect(next.events[0]?.sessionId).toBe(page.events[2]?.sessionId as string);
  });

  test('forgets the ids when consent is withdrawn, in other tabs too', async () => {
    const page = openAsking();
    page.tracker.consent(true);
    await page.flush();
    const { localStorage } = page.window;
    const tab = openAsking({ localStorage });
    await tab.flush();
    page.tracker.consent(false);
    expect(page.kept()).toEqual([{}, {}]);
    const removed = { key: '_at_visitor', newValue: null, storageArea: localStorage };
    tab.window.dispatchEvent(new tab.window.StorageEvent('storage', removed));
    for (const each of [page, tab]) {
      each.tracker.track('a');
      await each.flush();
    }
    expect([page.ids(), tab.ids()]).toEqual([
      [true, true],
      [DERIVED, true],
    ]);
  });

  test('keeps a refusal when consent is denied or given afterwards', async () => {
    const page = openAsking();
    page.tracker.optOut();
    page.tracker.consent(false);
    page.tracker.consent(true);
    expect(page.stored).toEqual({ _at_off: '1' });
  });
});

test('consent() changes nothing in the mode browser', async () => {
  const page = openIn('browser');
  await page.flush();
  const before = page.kept();
  page.tracker.consent(true);
  page.tracker.consent(false);
  expect(page.kept()).toEqual(before);
});
