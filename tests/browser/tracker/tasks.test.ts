import { expect, test } from 'bun:test';
import { BROWSER_TEST_TIMEOUT_MS, findChromium, launchChromium } from '../../support/browser.ts';
import { trackedPage } from '../../support/tracked-page.ts';

/** Browsers call a task long from here on: the visitor begins to notice. */
const TASK_MS_MAX = 50;

/** A task in Chromium's trace. */
type Task = { name: string; tdur?: number; args?: { data?: { url?: string } } };

/** Time of a processor in microseconds, not of the clock: what else the machine does is not counted. */
function longestMs(tasks: Task[]): number {
  return Math.max(...tasks.map(({ tdur = Number.NaN }) => tdur)) / 1_000;
}

const chromiumPath = findChromium();

test.if(Boolean(chromiumPath))(
  'no task of the script is long, although thousands of events wait for a server that fails',
  async () => {
    const browser = await launchChromium(`${chromiumPath}`, true);
    try {
      await using t = await trackedPage(browser);
      t.collector.reactWith(500);
      const tracing = await t.context.newCDPSession(t.page);
      const tasks: Task[] = [];
      // The driver's type says less than what Chromium sends.
      tracing.on('Tracing.dataCollected', ({ value }) => tasks.push(...(value as unknown as Task[])));
      const includedCategories = ['devtools.timeline', 'v8.execute'];
      await tracing.send('Tracing.start', { traceConfig: { includedCategories } });
      for (const path of ['/one', '/two', '/three']) {
        await t.open(path);
        await t.page.evaluate(async () => {
          for (let n = 0; n < 1_000; n++) {
            window.AnalyticsTracker.track('a', { text: 'x'.repeat(1_000) });
            if (n % 10 === 9) await new Promise((resolve) => setTimeout(resolve));
          }
        });
        await t.flush();
      }
      const isOver = new Promise((resolve) => tracing.once('Tracing.tracingComplete', resolve));
      await tracing.send('Tracing.end');
      await isOver;

      const own = (name: string) =>
        tasks.filter((task) => task.name === name && task.args?.data?.url?.endsWith('/tracker.js'));
      expect(longestMs(own('EvaluateScript'))).toBeLessThan(TASK_MS_MAX);
      expect(longestMs(own('FunctionCall'))).toBeLessThan(TASK_MS_MAX);
      // Work after an answer has arrived; the page and the driver hardly have any of their own.
      expect(longestMs(tasks.filter(({ name }) => name === 'RunMicrotasks'))).toBeLessThan(TASK_MS_MAX);
    } finally {
      await browser.close();
    }
  },
  BROWSER_TEST_TIMEOUT_MS,
);
