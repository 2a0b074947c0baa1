import { describe, expect, test } from 'bun:test';
import { openPage } from '../support/tracker-page.ts';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids', () => {
  test("an event's id is a UUID of version 7 that holds its time", async () => {
    const page = openPage();
    await page.flush();
    const [event] = page.events;
    expect(event?.id).toMatch(UUID_7);
    expect(Number.parseInt(event?.id.replaceAll('-', '').slice(0, 12) ?? '', 16)).toBe(event?.timestamp ?? 0);
  });

  test('the visitor is kept in local storage, the session in session storage', async () => {
    const page = openPage();
    await page.flush();
    const [event] = page.events;
    expect(page.stored).toEqual({ _at_visitor: event?.visitorId ?? '' });
    expect({ ...page.window.sessionStorage } as Record<string, string>).toEqual({
      _at_session: event?.sessionId ?? '',
    });
  });

  test('a reload keeps both, another tab shares only the visitor', async () => {
    const page = openPage();
    const { localStorage, sessionStorage } = page.window;
    const reloaded = openPage({ localStorage, sessionStorage });
    const tab = openPage({ localStorage });
    for (const each of [page, reloaded, tab]) await each.flush();
    const [first, second, third] = [page, reloaded, tab].map(({ events }) => events[0]);
    expect(second?.visitorId).toBe(first?.visitorId as string);
    expect(second?.sessionId).toBe(first?.sessionId as string);
    expect(third?.visitorId).toBe(first?.visitorId as string);
    expect(third?.sessionId).not.toBe(first?.sessionId as string);
  });

  test('stay the same on a page when the site clears its storage', async () => {
    const page = openPage();
    await page.flush();
    page.window.localStorage.clear();
    page.tracker.track('a');
    await page.flush();
    expect(new Set(page.events.map(({ visitorId }) => visitorId)).size).toBe(1);
  });
});

describe('storage that', () => {
  test.each([
    ['throws when it is looked at', 'blocked' as const],
    ['is null', null],
  ])(
    '%s does not keep events from being sent, with ids that last as long as the page',
    async (_name, storage) => {
      const page = openPage({ localStorage: storage, sessionStorage: storage });
      await page.pass(5_000);
      page.tracker.track('a');
      page.hide();
      await page.pass(5_000);
      expect(page.sizes).toEqual([1, 1]);
      expect(new Set(page.events.map(({ visitorId, sessionId }) => `${visitorId} ${sessionId}`)).size).toBe(
        1,
      );
      expect(page.events[0]?.visitorId).toMatch(UUID_7);
    },
  );

  test('is full does not either', async () => {
    const page = openPage();
    page.window.localStorage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    page.tracker.track('a');
    await page.flush();
    expect(page.sizes).toEqual([2]);
  });
});
