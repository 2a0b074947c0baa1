import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.ts';
import { createFullStage, type PageState, pageStates, strangerStates } from './dashboard/page-states.ts';
import { idle, settled } from './dashboard/stage.ts';

/**
 * Pictures of every page, to be looked at: `bun run screenshots [part of a name]`. Writes into `screenshots/`, which
 * git ignores. No test: what is ugly is for people to judge.
 */

const FOLDER = 'screenshots';
const EVENTS = 30_000;

const LOOKS: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  wide: { viewport: { width: 1680, height: 1050 }, colorScheme: 'light' },
  phone: {
    viewport: { width: 360, height: 740 },
    colorScheme: 'light',
    deviceScaleFactor: 2,
    hasTouch: true,
  },
};

const wanted = process.argv[2] ?? '';
const stage = await createFullStage({ events: EVENTS, days: 95 });
for (const [daysAgo, text] of [
  [8, 'Newsletter with a long subject line: what is new this autumn'],
  [60, 'Relaunch'],
] as const) {
  const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await stage.call('POST', `/websites/${stage.website.id}/annotations`, { at, text });
}
await mkdir(FOLDER, { recursive: true });
const browser = await launchChromium(findChromium() ?? '');
try {
  for (const [look, options] of Object.entries(LOOKS)) await takeAll(browser, look, options);
} finally {
  await browser.close();
  await stage.close();
}

/** States outside those in which every page is judged: other data, other forms. */
function others(): PageState[] {
  const { dashboard, empty } = stage;
  const menu = (name: string | RegExp) => async (page: Page) => {
    await settled(page);
    await page.getByRole('button', { name }).first().click();
  };
  return [
    ['today', `${dashboard}?period=today&chart=bar`, settled],
    ['a year', `${dashboard}?period=12mo&compare=year&metric=bounceRate`, settled],
    [
      'filters',
      `${dashboard}?f=is,country,US|DE&f=contains,page,blog&tab.sources=utmCampaign&tab.events=property%3Ahref&tab.pages=entryPage`,
      settled,
    ],
    ['details of a property', `${dashboard}?details=events&tab.events=property%3Ahref`],
    [
      'visitors by first visit',
      `${dashboard}?f=is,firstSeen,2026-10-01|2026-11-20&f=is,visitorType,new&tab.sources=visitorType`,
      menu(/First seen/),
    ],
    ['combobox', `${dashboard}?f=is,page,/`, menu('Filter')],
    ['journeys from the start', `${dashboard}/journeys`],
    ['retention by months', `${dashboard}/goals/retention?period=90d`],
    ['a new goal', `${dashboard}/goals`, (page) => page.getByRole('button', { name: 'Add a goal' }).click()],
    ['one goal', `${dashboard}?f=is,goal,Signup`, settled],
    ['no segments', `/websites/${empty.id}`, menu('Segments')],
    ['a visitor', `${dashboard}/visitors`, (page) => page.click('.people-main')],
  ];
}

async function takeAll(browser: Browser, look: string, options: BrowserContextOptions): Promise<void> {
  for (const state of [...pageStates(stage), ...others()]) await take(state, false);
  for (const state of strangerStates(stage)) await take(state, true);

  async function take([name, path, before]: PageState, isStranger: boolean): Promise<void> {
    const file = `${name.replaceAll(' ', '-')}-${look}`;
    if (!file.includes(wanted)) return;
    const { page, close, complaints } = await stage.open(browser, path, { ...options, isStranger });
    await before?.(page);
    await page.waitForTimeout(700);
    await idle(page);
    const fullPage = (await page.locator('dialog[open], .menu-list').count()) === 0;
    await page.screenshot({ path: `${FOLDER}/${file}.png`, fullPage });
    for (const complaint of complaints) console.log(`${file}: ${complaint}`);
    await close();
  }
}
