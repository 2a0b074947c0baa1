import { describe, expect, test } from 'bun:test';
import {
  type Answer,
  EVENTS_URL,
  openPage,
  type Page,
  type Request,
  START_MS,
} from '../support/tracker-page.ts';

const ids = (request?: Request) => request?.events.map(({ id }) => id);
const numbers = (page: Page) =>
  page.requests.map(({ events }) => events.map(({ properties }) => properties?.n as number));

/** A page without events of its own, so that only those of the test are sent. */
const quietPage = (answer?: Answer | ((request: Request, index: number) => Answer)) =>
  openPage({
    tag: { 'data-tracking-code': 'pm-test-1', 'data-auto': 'false' },
    ...(answer !== undefined && { answer: typeof answer === 'function' ? answer : () => answer }),
  });

function track(page: Page, from: number, to: number) {
  for (let n = from; n < to; n++) page.tracker.track('a', { n });
}

const multiStatus = (errors: unknown) => Response.json({ success: false, errors }, { status: 207 });

describe('an answer that', () => {
  test.each([200, 201, 202, 204])('accepts (%d): the events are done', async (status) => {
    const page = quietPage(status);
    track(page, 0, 2);
    await page.pass(600_000);
    expect(page.sizes).toEqual([2]);
  });

  test.each<[string, Answer]>([
    ['times out (408)', 408],
    ['is too early (425)', 425],
    ['limits the rate (429)', 429],
    ['is out of service (503)', 503],
    ['does not come', 'cut'],
  ])('%s: the same events are sent again after a pause', async (_name, answer) => {
    const page = quietPage((_request, index) => (index === 0 ? answer : 201));
    track(page, 0, 3);
    await page.pass(4_999);
    expect(page.sizes).toEqual([3]);
    await page.pass(1);
    expect(page.sizes).toEqual([3, 3]);
    expect(ids(page.requests[1])).toEqual(ids(page.requests[0]) as string[]);
    await page.pass(600_000);
    expect(page.sizes).toEqual([3, 3]);
  });

  test.each([500, 502, 504])('fails (%d): the same events are sent again, in halves', async (status) => {
    const page = quietPage((_request, index) => (index === 0 ? status : 201));
    track(page, 0, 3);
    await page.pass(4_999);
    expect(page.sizes).toEqual([3]);
    await page.pass(1);
    expect(page.sizes).toEqual([3, 2, 1]);
    expect(page.requests.slice(1).flatMap(ids)).toEqual(ids(page.requests[0]) as string[]);
    await page.pass(600_000);
    expect(page.sizes).toEqual([3, 2, 1]);
  });

  test.each([301, 400, 401, 403, 404, 405, 410, 413, 415, 422])(
    'refuses one event (%d): it is dropped',
    async (status) => {
      const page = quietPage(status);
      track(page, 0, 1);
      await page.pass(600_000);
      expect(page.sizes).toEqual([1]);
    },
  );

  test.each([...Array.from({ length: 10 }).keys()])(
    'refuses a batch because of event %d: only that one is lost',
    async (bad) => {
      const accepted: unknown[] = [];
      const page = quietPage(({ events }) => {
        if (events.some(({ properties }) => properties?.n === bad)) return 400;
        accepted.push(...events.map(({ properties }) => properties?.n));
        return 201;
      });
      track(page, 0, 10);
      await page.pass(0);
      expect(accepted.sort()).toEqual([...Array.from({ length: 10 }).keys()].filter((n) => n !== bad));
      expect(page.requests.length).toBeLessThanOrEqual(9);
    },
  );

  test('knows no batches (404): the events arrive one by one', async () => {
    const page = quietPage(({ url }) => (url === EVENTS_URL ? 201 : 404));
    track(page, 0, 10);
    await page.pass(0);
    const singles = page.requests.filter(({ url }) => url === EVENTS_URL);
    expect(singles.flatMap(({ events }) => events.map(({ properties }) => properties?.n))).toEqual([
      ...Array.from({ length: 10 }).keys(),
    ]);
  });

  test('finds a batch too large (413): halves are sent', async () => {
    const page = quietPage(({ events }) => (events.length > 5 ? 413 : 201));
    track(page, 0, 10);
    await page.pass(0);
    expect(numbers(page).slice(1)).toEqual([
      [0, 1, 2, 3, 4],
      [5, 6, 7, 8, 9],
    ]);
  });

  test('stores a part (207): only what failed inside the server is sent again', async () => {
    const page = quietPage((_request, index) =>
      index === 0
        ? multiStatus([
            { index: 0, error: 'NOT_FOUND', message: '' },
            { index: 1, error: 'INTERNAL_ERROR', message: '' },
            { index: 2, error: 'VALIDATION_ERROR', message: '' },
            { index: 99, error: 'INTERNAL_ERROR', message: '' },
          ])
        : 201,
    );
    track(page, 0, 5);
    await page.pass(600_000);
    expect(numbers(page)).toEqual([[0, 1, 2, 3, 4], [1]]);
    expect(page.requests[1]?.events[0]?.id).toBe(page.requests[0]?.events[1]?.id as string);
  });

  test.each<[string, Answer]>([
    ['no JSON', new Response('<html>', { status: 207 })],
    ['no errors', multiStatus(undefined)],
    ['errors that are not a list', multiStatus('x')],
  ])('stores a part (207) and says it with %s: nothing is sent again', async (_name, answer) => {
    const page = quietPage(answer);
    track(page, 0, 2);
    await page.pass(600_000);
    expect(page.sizes).toEqual([2]);
  });

  test('never comes at all: the request is given up after 30 seconds and repeated', async () => {
    const page = quietPage((_request, index) => (index === 0 ? 'hang' : 201));
    track(page, 0, 1);
    await page.pass(5_000 + 30_000 + 5_000);
    expect(page.sizes).toEqual([1, 1]);
  });
});

describe('the pause after a failure', () => {
  test.each([
    ['doubles from 5 seconds to at most 5 minutes', 1, [5, 10, 20, 40, 80, 160, 300, 300]],
    ['is half as long when chance is at its lowest', 0, [2.5, 5, 10, 20, 40, 80, 160, 300]],
  ])('%s', async (_name, random, pausesS) => {
    const times: number[] = [];
    const page = openPage({
      random,
      answer: () => {
        times.push(page.clock.now());
        return 'cut';
      },
    });
    await page.pass(1_300_000);
    const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1_000);
    expect(pauses.slice(0, pausesS.length)).toEqual(pausesS);
  });

  test.each([
    ['seconds', '60', 60_000],
    ['a date', new Date(START_MS + 90_000).toUTCString(), 90_000],
    ['more than 5 minutes', '3600', 300_000],
    ['less than the pause', '1', 5_000],
    ['nothing that can be read', 'soon', 5_000],
  ])('lasts as long as Retry-After asks: %s', async (_name, value, pauseMs) => {
    const page = quietPage((_request, index) =>
      index === 0 ? new Response('{}', { status: 503, headers: { 'Retry-After': value } }) : 201,
    );
    track(page, 0, 1);
    await page.pass(pauseMs - 1);
    expect(page.sizes).toEqual([1]);
    await page.pass(1);
    expect(page.sizes).toEqual([1, 1]);
  });

  test('is kept when more events are queued, even 10', async () => {
    const page = quietPage((_request, index) => (index === 0 ? 503 : 201));
    track(page, 0, 1);
    await page.pass(0);
    track(page, 1, 15);
    await page.pass(4_999);
    expect(page.sizes).toEqual([1]);
    await page.pass(1);
    expect(numbers(page).flat()).toEqual([0, ...Array.from({ length: 15 }).keys()]);
  });

  test.each<[string, (page: Page) => void]>([
    ['flush()', (page) => void page.tracker.flush()],
    ['coming back online', (page) => page.setOnline(true)],
  ])('is ended by %s', async (_name, end) => {
    const page = quietPage((_request, index) => (index === 0 ? 503 : 201));
    track(page, 0, 1);
    await page.pass(5_000);
    end(page);
    await page.pass(0);
    expect(page.sizes).toEqual([1, 1]);
  });

  test('the retry pause resets after a success', async () => {
    const page = quietPage((_request, index) => (index === 0 || index === 2 ? 503 : 201));
    track(page, 0, 1);
    await page.pass(10_000);
    track(page, 1, 2);
    await page.pass(5_000 + 5_000);
    expect(page.sizes).toEqual([1, 1, 1, 1]);
  });
});

describe('after failures', () => {
  test('events keep their order and their ids, and none is in two requests at once', async () => {
    const flying = new Set<string>();
    const page = quietPage((request, index) => {
      for (const id of ids(request) ?? []) expect(flying.has(id)).toBe(false);
      return index < 2 ? 'cut' : 201;
    });
    track(page, 0, 25);
    await page.pass(60_000);
    const [first, second, ...rest] = page.requests;
    expect(ids(second)).toEqual(ids(first) as string[]);
    const sent = rest.flatMap(({ events }) => events);
    expect(sent.map(({ properties }) => properties?.n)).toEqual([...Array.from({ length: 25 }).keys()]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(25);
  });

  test('the next try goes without keepalive, which may be what the browser refused', async () => {
    const page = quietPage((_request, index) => (index === 0 ? 'cut' : 201));
    track(page, 0, 1);
    await page.pass(10_000);
    track(page, 1, 2);
    await page.pass(5_000);
    expect(page.requests.map(({ keepalive }) => keepalive)).toEqual([true, false, true]);
  });

  describe('an event that makes the server fail', () => {
    /** Whether a request holds it; the server stores every other. */
    const isBad = ({ events }: Request) => events.some(({ properties }) => properties?.n === 3);
    const failing: [name: string, answer: (request: Request) => Answer][] = [
      ['altogether (500)', (request) => (isBad(request) ? 500 : 201)],
      [
        'at this event (207)',
        ({ events }) => {
          const index = events.findIndex(({ properties }) => properties?.n === 3);
          if (index < 0) return 201;
          return events[1] ? multiStatus([{ index, error: 'INTERNAL_ERROR', message: '' }]) : 500;
        },
      ],
    ];

    test.each(failing)('%s holds up no other', async (_name, answer) => {
      const page = quietPage(answer);
      track(page, 0, 12);
      await page.pass(60_000);
      const before = page.requests.length;
      for (let n = 12; n < 132; n++) {
        track(page, n, n + 1);
        await page.pass(5_000);
        const good = page.requests.filter((request) => !isBad(request));
        expect(good.at(-1)?.events.map(({ properties }) => properties?.n)).toEqual([n]);
      }
      // In these ten minutes it was tried now and then, alone.
      const tries = page.requests.slice(before).filter(isBad);
      expect(tries.length).toBeLessThan(8);
      expect(tries.every(({ events }) => events.length === 1)).toBe(true);
    });

    test.each(failing)('%s is tried again as long as the page lives', async (_name, answer) => {
      const page = quietPage(answer);
      track(page, 0, 5);
      await page.pass(300_000);
      page.answerWith(201);
      await page.pass(300_000);
      expect(page.events.at(-1)?.properties?.n).toBe(3);
      const { length } = page.requests;
      await page.pass(600_000);
      expect(page.requests.length).toBe(length);
    });

    test.each(failing)(
      '%s has a last try when the page is left, and is not left to the next one',
      async (_name, answer) => {
        const page = quietPage(answer);
        track(page, 0, 5);
        await page.pass(60_000);
        const before = page.requests.length;
        page.leave();
        expect(
          page.requests.slice(before).map(({ events }) => events.map(({ properties }) => properties?.n)),
        ).toEqual([[3]]);
        expect(Object.keys(page.stored)).toEqual(['_at_visitor']);
      },
    );

    test('is kept for the next page while the server stores no other either', async () => {
      const page = quietPage(500);
      track(page, 0, 3);
      await page.pass(120_000);
      page.answerWith('hang');
      page.leave();
      const kept = Object.values(page.stored).find((text) => text.startsWith('['));
      expect(JSON.parse(kept ?? '[]').length).toBe(3);
    });
  });
});
