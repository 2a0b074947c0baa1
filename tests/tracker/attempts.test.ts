import { describe, expect, test } from 'bun:test';
import { type Answer, CODE, openPage, type Page } from '../support/tracker-page.ts';

const HOUR_MS = 3_600_000;

/** A chain without an end never gives the turn back to the test: it is cut off here. */
const ATTEMPTS_MAX = 500;

/** A page whose attempts all come to the same, with the time of each. */
function openFailingPage(answer: () => Answer, globals: Record<string, unknown> = {}) {
  const times: number[] = [];
  const page: Page = openPage({
    tag: { 'data-tracking-code': CODE, 'data-auto': 'false' },
    random: 0, // the shortest pauses
    answer: () => (times.push(page.clock.now()) > ATTEMPTS_MAX ? 'never' : answer()),
    globals,
  });
  return { page, times };
}

/** The visitor does something every ten seconds, and looks at another tab every minute. */
async function liveForAnHour(page: Page) {
  for (let passedMs = 0; passedMs < HOUR_MS; passedMs += 10_000) {
    page.tracker.track('a', { passedMs });
    if (passedMs % 60_000 === 20_000) page.hide();
    if (passedMs % 60_000 === 40_000) page.show();
    await page.pass(10_000);
  }
}

const inside = (): Answer => {
  const errors = Array.from({ length: 10 }, (_, index) => ({ index, error: 'INTERNAL_ERROR', message: '' }));
  return Response.json({ errors }, { status: 207 });
};

const failures: [name: string, answer: () => Answer][] = [
  ['no answer at once', () => 'cut'],
  ['a fetch that throws', () => 'throw'],
  ['no answer for 30 seconds', () => 'hang'],
  ['no answer ever', () => 'never'],
  ['500', () => 500],
  ['503', () => 503],
  ['429', () => 429],
  ['a failure of each event (207)', inside],
];

describe('when everything fails for an hour, no attempt comes before its pause is over', () => {
  // What is never answered has not failed: a page that is hidden sends its newest events meanwhile.
  test.each(failures.filter(([, answer]) => answer() !== 'never'))('%s', async (_name, answer) => {
    const { page, times } = openFailingPage(answer);
    await liveForAnHour(page);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(times.length).toBeGreaterThan(0);
    expect(gaps.filter((gap, index) => gap < Math.min(2_500 * 2 ** index, 300_000))).toEqual([]);
  });
});

/** Forms of `setTimeout` where a document is gone, or where the page has put something in its place. */
const timers: [name: string, setTimeout: (work: () => void) => unknown][] = [
  ['answers 0', () => 0],
  ['answers an id', () => 1],
  [
    'throws',
    () => {
      throw new TypeError('setTimeout is out of order');
    },
  ],
  [
    'does the work at once',
    (work) => {
      work();
      return 1;
    },
  ],
];

describe('the queue makes one attempt only without a timer', () => {
  describe.each(timers)('setTimeout %s', (_name, setTimeout) => {
    test.each(failures)('%s', async (_name, answer) => {
      const { page, times } = openFailingPage(answer, { setTimeout });
      for (let n = 0; n < 25; n++) page.tracker.track('a', { n });
      page.tracker.flush();
      await page.pass(HOUR_MS);
      expect(times.length).toBe(1);
    });

    test.each([201, 400])('%d', async (status) => {
      const { page, times } = openFailingPage(() => status, { setTimeout });
      for (let n = 0; n < 25; n++) page.tracker.track('a', { n });
      await page.pass(HOUR_MS);
      expect(times.length).toBe(1);
    });
  });

  test('a setTimeout that tells no id calls off what is out of date all the same', async () => {
    const page: Page = openPage({
      globals: {
        setTimeout: (work: () => void, delayMs: number) => void page.clock.setTimeout(work, delayMs),
      },
      tag: { 'data-tracking-code': CODE, 'data-auto': 'false' },
      answer: (_request, index) => (index ? 201 : 503),
    });
    page.tracker.track('a');
    page.tracker.flush();
    page.tracker.track('b');
    await page.pass(4_999);
    expect(page.sizes).toEqual([1]);
    await page.pass(HOUR_MS);
    expect(page.sizes).toEqual([1, 2]);
  });
});
