import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { DEMO_GOALS } from '../../src/demo/website.ts';
import { findChromium, launchChromium } from '../support/browser.ts';
import { createStage, idle, settled } from './dashboard/stage.ts';

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
const stage = await createStage({ events: EVENTS, days: 95 });
const empty = await stage.addWebsite('Nothing yet', 'https://nothing.example');
await stage.call('PATCH', `/websites/${stage.website.id}/settings`, { isPublic: true });
for (const goal of DEMO_GOALS) await stage.call('POST', `/websites/${stage.website.id}/goals`, goal);
const germans = await stage.call<{ id: string }>('POST', `/websites/${stage.website.id}/segments`, {
  name: 'Readers from Germany',
  filters: [
    ['is', 'country', ['DE']],
    ['contains', 'page', ['/blog']],
  ],
  isPublic: true,
});
for (const [daysAgo, text] of [
  [1, 'deploy 1.4'],
  [8, 'Newsletter with a long subject line: what is new this autumn'],
  [9, 'deploy 1.3'],
  [60, 'Relaunch'],
] as const) {
  const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const body = { at: daysAgo === 8 ? at.slice(0, 10) : at, text, isPublic: daysAgo !== 1 };
  await stage.call('POST', `/websites/${stage.website.id}/annotations`, body);
}
await stage.call('POST', `/websites/${stage.website.id}/funnels`, {
  name: 'From the prices to a signup',
  steps: [
    ['is', 'eventType', ['pageview']],
    ['is', 'goal', ['Prices seen']],
    ['is', 'goal', ['Signup']],
  ],
});
await mkdir(FOLDER, { recursive: true });
const browser = await launchChromium(findChromium() ?? '');
try {
  for (const [look, options] of Object.entries(LOOKS)) await takeAll(browser, look, options);
} finally {
  await browser.close();
  await stage.close();
}

type Shot = { name: string; path: string; isStranger?: true; before?: (page: Page) => Promise<unknown> };

function shots(): Shot[] {
  const { dashboard, public: shared } = stage;
  const menu = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
  return [
    { name: 'websites', path: '/' },
    { name: 'website', path: `${dashboard}?compare=previous` },
    { name: 'website-plain', path: dashboard },
    { name: 'website-today', path: `${dashboard}?period=today&chart=bar` },
    { name: 'website-year', path: `${dashboard}?period=12mo&compare=year&metric=bounceRate` },
    { name: 'website-table', path: `${dashboard}?chart=table&compare=previous&period=7d` },
    {
      name: 'website-filters',
      path: `${dashboard}?f=is,country,US|DE&f=contains,page,blog&tab.sources=utmCampaign&tab.locations=country&tab.events=property%3Ahref&tab.pages=entryPage`,
    },
    { name: 'website-properties', path: `${dashboard}?tab.events=property%3A&tab.locations=language` },
    { name: 'website-none', path: `${dashboard}?f=is,page,/nowhere` },
    { name: 'website-first', path: `/websites/${empty.id}` },
    { name: 'details', path: `${dashboard}?details=pages&compare=previous` },
    { name: 'details-events', path: `${dashboard}?details=events&tab.events=property%3Ahref` },
    { name: 'filter', path: `${dashboard}?f=is,page,/`, before: menu('Filter') },
    {
      name: 'filter-first-seen',
      path: `${dashboard}?f=is,firstSeen,2026-10-01|2026-11-20&f=is,visitorType,new&tab.sources=visitorType`,
      before: menu(/First seen/),
    },
    { name: 'range', path: dashboard, before: (page) => page.keyboard.press('c') },
    { name: 'help', path: dashboard, before: (page) => page.keyboard.press('?') },

    { name: 'menu-websites', path: dashboard, before: menu('Demo shop') },
    {
      name: 'tooltip',
      path: `${dashboard}?compare=previous`,
      before: (page) => page.hover('.chart-surface'),
    },
    { name: 'realtime', path: `${dashboard}/realtime` },
    { name: 'sessions', path: `${dashboard}/sessions` },
    { name: 'session', path: `${dashboard}/sessions`, before: (page) => page.click('.people-main') },
    { name: 'visitors', path: `${dashboard}/visitors` },
    { name: 'visitor', path: `${dashboard}/visitors`, before: (page) => page.click('.people-main') },
    { name: 'goals', path: `${dashboard}/goals` },
    { name: 'attribution', path: `${dashboard}/goals/attribution?tab.goal=Signup` },
    { name: 'journeys', path: `${dashboard}/journeys` },
    {
      name: 'journeys-to',
      path: `${dashboard}/journeys?journey=to,goal,Signup`,
      before: (page) => page.click('summary'),
    },
    {
      name: 'funnel',
      path: `${dashboard}/goals/funnels?step=any,&step=goal,Prices%20seen&step=goal,Signup`,
      before: async (page) => {
        await page.locator('.funnel-columns').first().waitFor();
        for (const table of await page.locator('.funnel-table summary').all()) await table.click();
      },
    },
    {
      name: 'filter-first',
      path: `${dashboard}?f=is,first_visit:goal,Signup&f=is,has_done:page,/pricing`,
      before: (page) => page.locator('.chip-text').first().click(),
    },
    { name: 'retention', path: `${dashboard}/goals/retention?period=90d` },
    { name: 'goals-none', path: `/websites/${empty.id}/goals` },
    { name: 'goal-dialog', path: `${dashboard}/goals`, before: menu('Add a goal') },
    { name: 'goal-change', path: `${dashboard}/goals`, before: menu('Change Paid signup') },
    { name: 'website-goal', path: `${dashboard}?f=is,goal,Signup&compare=previous` },
    {
      name: 'segment',
      path: `${dashboard}?f=is,segment,${germans.id}&f=is,browser,Chrome`,
      before: menu('Segments'),
    },
    { name: 'segment-none', path: `/websites/${empty.id}`, before: menu('Segments') },
    {
      name: 'segment-change',
      path: `${dashboard}?f=is,segment,${germans.id}&f=is,browser,Chrome`,
      before: menu('Segment is'),
    },
    { name: 'segment-public', path: `${shared}?f=is,segment,${germans.id}`, isStranger: true },
    { name: 'annotation', path: dashboard, before: menu(/nnotations?[,.] /) },
    { name: 'annotation-table', path: `${dashboard}?chart=table` },
    {
      name: 'annotation-change',
      path: dashboard,
      before: async (page) => {
        await menu(/nnotations?[,.] /)(page);
        await page.click('.chart-note .menu-list button');
      },
    },
    { name: 'annotation-public', path: shared, isStranger: true, before: menu(/nnotations?[,.] /) },
    { name: 'install', path: `${dashboard}/install` },
    { name: 'settings', path: `${dashboard}/settings` },
    { name: 'account', path: '/account' },
    { name: 'login', path: '/', isStranger: true },
    { name: 'public', path: shared, isStranger: true },
    { name: 'unknown', path: '/websites/none' },
  ];
}

async function takeAll(browser: Browser, look: string, options: BrowserContextOptions): Promise<void> {
  for (const { name, path, isStranger = false, before } of shots()) {
    if (!`${name}-${look}`.includes(wanted)) continue;
    const { page, close, complaints } = await stage.open(browser, path, { ...options, isStranger });
    if (path.startsWith(`${stage.dashboard}?`) || path === stage.dashboard) await settled(page);
    else await page.waitForTimeout(700);
    await idle(page);
    await before?.(page);
    await page.waitForTimeout(400);
    const fullPage = (await page.locator('dialog[open], .menu-list').count()) === 0;
    await page.screenshot({ path: `${FOLDER}/${name}-${look}.png`, fullPage });
    for (const complaint of complaints) console.log(`${name}-${look}: ${complaint}`);
    await close();
  }
}
