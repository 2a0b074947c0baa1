import type { Page } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.ts';
import { createStage, idle, settled, traffic } from './dashboard/stage.ts';

/**
 * How long the dashboard keeps the browser from hearing its user: the longest task of each step in Chromium, medians of
 * five rounds. `bun tests/browser/long-tasks.ts`; the machine must have nothing else to do. No test: machines differ.
 * The cost depends on how much is drawn (24 hours by minutes, 91 days), not how many events there are.
 */

const ROUNDS = 5;
/** A step has ended when nothing more is drawn for this long. */
const CALM_MS = 400;

const stage = await createStage({ events: 60_000, days: 95 });
await stage.sendAll(traffic(stage.website, { events: 20_000, days: 1 }));
const browser = await launchChromium(findChromium() ?? '');
const { page } = await stage.open(browser, '/');
await page.addInitScript(() => {
  const tasks: number[] = [];
  Object.assign(globalThis, { tasks });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
});
const longest = new Map<string, number[]>();
try {
  await round(() => {}); // compiles, and fills what is kept
  for (let count = 0; count < ROUNDS; count += 1)
    await round((step, ms) => longest.set(step, [...(longest.get(step) ?? []), ms]));
} finally {
  await browser.close();
  await stage.close();
}
for (const [step, all] of longest) {
  const sorted = all.toSorted((a, b) => a - b);
  const [median, most] = [sorted[(ROUNDS - 1) / 2] ?? 0, sorted.at(-1) ?? 0];
  console.log(`${String(Math.round(median)).padStart(5)} ms, at most ${Math.round(most)}: ${step}`);
}

async function round(note: (step: string, ms: number) => void): Promise<void> {
  const step = async (name: string, act: () => Promise<unknown>) => {
    await act();
    await page.waitForTimeout(CALM_MS);
    note(name, Math.max(0, ...(await page.evaluate<number[]>('tasks.splice(0)'))));
  };
  const open = (search: string) =>
    step(`open ${search || 'the dashboard'}`, async () => {
      await page.goto(stage.dashboard + search);
      await settled(page);
    });
  const press = (name: string, key: string) =>
    step(name, async () => {
      await page.keyboard.press(key);
      await idle(page);
    });
  const click = (name: string, button: string) =>
    step(name, async () => {
      await page.getByRole('button', { name: button, exact: true }).click();
      await idle(page);
    });

  await open('');
  await open('?period=7d&interval=hour');
  await open('?period=91d&compare=previous');
  await open('?period=24h&interval=minute&compare=previous');
  await step('pointer over 1,440 points', () => sweep(page));
  await click('1,440 bars', 'Bars');
  await click('1,440 rows', 'Table');
  await click('1,440 points as a line', 'Line');
  await press('without a comparison', 'x');
  await press('with one', 'x');
  await step('as a picture', async () => {
    await page.getByRole('button', { name: 'Download the chart' }).click();
    const taken = page.waitForEvent('download');
    await page.locator('.menu-list').getByRole('button', { name: 'Picture' }).click();
    await taken;
  });
  for (const key of ['d', 'w', 'n', 'f']) await press(`key ${key}`, key);
  await step('details', async () => {
    await page.getByRole('button', { name: 'Details of Pages' }).click();
    await page.locator('dialog tbody tr').first().waitFor();
  });
  await step('search in details', async () => {
    await page.keyboard.type('blog', { delay: 50 });
    await idle(page);
  });
  await click('details closed', 'Close');
  await step('typing in the combobox', async () => {
    await page.keyboard.press('/');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('united', { delay: 50 });
    await idle(page);
  });
  await press('a filter', 'Enter');
  for (const path of ['/sessions', '/visitors', '/realtime', '/goals', '/settings'])
    await step(path, async () => {
      await page.goto(stage.dashboard + path);
      await page.locator('main :is(h1, .realtime-now, li)').first().waitFor();
      await idle(page);
    });
}

async function sweep(on: Page): Promise<void> {
  const box = await on.locator('.chart-surface').boundingBox();
  if (!box) throw new Error('there is no chart');
  await on.mouse.move(box.x + 10, box.y + 50);
  await on.mouse.move(box.x + box.width - 10, box.y + 60, { steps: 40 });
}
