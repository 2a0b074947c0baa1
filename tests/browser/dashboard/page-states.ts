import type { Page } from 'playwright-core';
import { DEMO_GOALS } from '../../../src/demo/website.ts';
import { toNdjson } from '../../imports/importing.ts';
import { createStage, settled } from './stage.ts';

/** A page in one of its states: an address, and what is done there before it is looked at. */
export type PageState = [name: string, path: string, before?: (page: Page) => Promise<unknown>];

const LONG_NAME = 'W'.repeat(100);

/** A stage for every page: goals, a segment, annotations, a funnel, a website that is public, and one without events. */
export async function createFullStage({ events = 3_000, days = 20 } = {}) {
  const stage = await createStage({ events, days });
  const empty = await stage.addWebsite('A name that is longer than any header', 'https://none.example');
  await stage.call('PATCH', `/websites/${stage.website.id}/settings`, { isPublic: true });
  for (const goal of DEMO_GOALS) await stage.call('POST', `/websites/${stage.website.id}/goals`, goal);
  // What a stranger's page or an owner may be called: as long as it can be, and without a place to break it.
  const long = { name: LONG_NAME, type: 'page', match: `/${'l'.repeat(254)}` };
  await stage.call('POST', `/websites/${stage.website.id}/goals`, long);
  await stage.call('POST', '/auth/api-keys', { name: LONG_NAME });
  const segment = await stage.call<{ id: string }>('POST', `/websites/${stage.website.id}/segments`, {
    name: 'Readers from Germany',
    filters: [['is', 'country', ['DE']]],
    isPublic: true,
  });
  for (const text of ['deploy 1.4', 'Sale'])
    await stage.call('POST', `/websites/${stage.website.id}/annotations`, { text, isPublic: true });
  await stage.call('POST', `/websites/${stage.website.id}/funnels`, {
    name: 'From the prices to a signup',
    steps: [
      ['is', 'eventType', ['pageview']],
      ['is', 'goal', ['Prices seen']],
      ['is', 'goal', ['Signup']],
    ],
  });
  return { ...stage, empty, segment };
}

export type FullStage = Awaited<ReturnType<typeof createFullStage>>;

/** The pages of those who have logged in, with their dialogs and menus open. */
export function pageStates({ dashboard, public: shared, empty, segment }: FullStage): PageState[] {
  const press = (key: string) => async (page: Page) => {
    await settled(page);
    await page.keyboard.press(key);
    await page.locator('dialog[open]').waitFor();
  };
  const menu = (name: string | RegExp) => async (page: Page) => {
    await settled(page);
    await page.getByRole('button', { name }).first().click();
    await page.locator('.menu-list :is(a, button)').first().waitFor();
  };
  const list = (page: Page) => page.locator('.people-main').first().waitFor();
  const says = (text: string | RegExp) => (page: Page) => page.getByText(text).waitFor();
  return [
    [
      'figures',
      `${dashboard}?compare=previous`,
      async (page) => {
        await settled(page);
        await page.locator('.map-country').first().waitFor({ state: 'attached' });
      },
    ],
    [
      'other tabs and filters',
      `${dashboard}?chart=bar&f=is,country,US|DE&f=contains,page,/&tab.sources=utmCampaign&tab.locations=country&tab.events=property%3A`,
      settled,
    ],
    ['the table', `${dashboard}?chart=table&compare=previous&tab.events=clicks`, settled],
    ['nothing that matches', `${dashboard}?f=is,page,/nowhere`, settled],
    [
      'before the first event',
      `/websites/${empty.id}`,
      async (page) => {
        await settled(page);
        await says(/^No events from/)(page);
      },
    ],
    [
      'a point of the chart',
      dashboard,
      async (page) => {
        await settled(page);
        await page.getByRole('slider').focus();
        await page.keyboard.press('ArrowLeft');
        await page.locator('.chart-tooltip').waitFor();
      },
    ],
    [
      'details',
      `${dashboard}?details=pages&compare=previous`,
      async (page) => {
        await page.locator('dialog[open] tbody tr').first().waitFor();
      },
    ],
    [
      'filter dialog',
      `${dashboard}?f=is,country,US|DE`,
      async (page) => {
        await settled(page);
        await page.locator('.chip-text').first().click();
        await page.locator('dialog[open] .chip').first().waitFor();
      },
    ],
    [
      'a filter of first visits',
      `${dashboard}?f=is,first_visit:goal,Signup&f=is,has_done:page,/pricing`,
      async (page) => {
        await settled(page);
        await page.locator('.chip-text').first().click();
        await page.locator('dialog[open] .chip').first().waitFor();
      },
    ],
    [
      'dates',
      dashboard,
      async (page) => {
        await press('c')(page);
        await page.locator('.calendar-day:not(:disabled)').first().click(); // half a range
      },
    ],
    ['help dialog', dashboard, press('?')],
    [
      'period menu of a list',
      `${dashboard}/sessions`,
      async (page) => {
        await page.locator('.people-main').first().waitFor();
        await page.getByRole('button', { name: 'Last 28 days' }).click();
        await page.locator('.menu-list button').first().waitFor();
      },
    ],
    [
      'columns of the details',
      `${dashboard}?details=pages`,
      async (page) => {
        await page.locator('dialog[open] tfoot td').first().waitFor();
        await page.getByRole('button', { name: 'Columns' }).click();
        await page.locator('.menu-list input').first().waitFor();
      },
    ],
    [
      'menu of a row',
      dashboard,
      async (page) => {
        await settled(page);
        await page.locator('.bar-row a').first().focus();
        await page.keyboard.press('ArrowRight');
        await page.locator('.menu-list button').first().waitFor();
      },
    ],
    [
      'menu of websites',
      dashboard,
      async (page) => {
        await menu('Demo shop')(page);
        await page.locator('.menu-list [aria-current]').waitFor();
      },
    ],
    ['menu of segments', `${dashboard}?f=is,segment,${segment.id}&f=is,browser,Chrome`, menu('Segments')],
    [
      'changing a segment',
      `${dashboard}?f=is,segment,${segment.id}&f=is,browser,Chrome`,
      async (page) => {
        await page.getByRole('button', { name: 'Segment is' }).click();
        await page.locator('dialog[open] [name=name]').waitFor();
      },
    ],
    ['annotations', dashboard, menu('2 annotations')],
    [
      'changing an annotation',
      dashboard,
      async (page) => {
        await menu('2 annotations')(page);
        await page.locator('.chart-note .menu-list button').first().click();
        await page.locator('dialog[open]').waitFor();
      },
    ],
    ['account menu', dashboard, menu('Account menu')],
    [
      'realtime',
      `${dashboard}/realtime`,
      (page) => page.locator('.realtime-now strong', { hasText: /\d/ }).waitFor(),
    ],
    [
      'goals',
      `${dashboard}/goals`,
      (page) => page.locator('.goals-card tbody td', { hasText: '%' }).first().waitFor(),
    ],
    [
      'changing a goal',
      `${dashboard}/goals`,
      async (page) => {
        await page.getByRole('button', { name: 'Edit Paid signup' }).click();
        await page.locator('dialog[open]').waitFor();
      },
    ],
    [
      'saved funnels',
      `${dashboard}/goals/funnels?step=any,&step=goal,Prices+seen&step=goal,Signup`,
      async (page) => {
        await page.locator('.funnel li').first().waitFor();
        await page.getByRole('button', { name: 'From the prices to a signup' }).click();
        await page.locator('.menu-list button').first().waitFor();
      },
    ],
    [
      'a funnel',
      `${dashboard}/goals/funnels?step=any,&step=goal,Signup&step=page,/pricing`,
      async (page) => {
        await page.locator('.funnel-columns').first().waitFor();
        for (const table of await page.locator('.funnel-table summary').all()) await table.click();
      },
    ],
    [
      'a funnel with long names',
      `${dashboard}/goals/funnels?step=any,&or=goal,${LONG_NAME}&step=page,/${'l'.repeat(254)}`,
      async (page) => {
        await page.locator('.funnel-columns').first().waitFor();
        for (const table of await page.locator('.funnel-table summary').all()) await table.click();
      },
    ],
    [
      'attribution',
      `${dashboard}/goals/attribution?tab.goal=Signup`,
      (page) => page.locator('.goals-card tbody td').first().waitFor(),
    ],
    [
      'journeys',
      `${dashboard}/journeys?journey=to,goal,Signup`,
      async (page) => {
        await page.locator('a.journey-node').first().waitFor();
        await page.click('summary');
      },
    ],
    [
      'retention',
      `${dashboard}/goals/retention`,
      (page) => page.locator('.retention-cell').first().waitFor(),
    ],
    ['no goals', `/websites/${empty.id}/goals`, says('No goals yet.')],
    ['visits', `${dashboard}/visits`, list],
    [
      'erasing a visitor',
      `${dashboard}/visitors`,
      async (page) => {
        await list(page);
        await page.locator('.people-main').first().click();
        await page.getByRole('button', { name: 'Erase…' }).click();
        await page.locator('dialog[open]').waitFor();
      },
    ],
    ['no visit', `${dashboard}/visits?f=is,page,/nowhere`, says('No visits found.')],
    ['the public figures', shared, settled],
    ['a public segment', `${shared}?f=is,segment,${segment.id}`, settled],
    ['no website', '/websites/none', says('Website not found')],
    ['no page', '/nowhere', says('Page not found')],
    [
      'websites',
      '/',
      (page) => page.locator('.website-card .sparkline').first().waitFor({ state: 'attached' }),
    ],
    ['the script', `${dashboard}/install`, says(/^Add the script to/)],
    ['import', `${dashboard}/import`, says(/^Import history/)],
    ['import after its dry run', `${dashboard}/import`, uploadOnce],
    ['settings', `${dashboard}/settings`, (page) => page.getByLabel('Days to keep events').waitFor()],
    [
      'account',
      '/account',
      async (page) => {
        await says('This device')(page);
        await page.locator('.key-list strong', { hasText: LONG_NAME }).waitFor();
      },
    ],
  ];
}

/** The pages of everybody else. */
export function strangerStates({ public: shared }: FullStage): PageState[] {
  return [
    ['login', '/', (page) => page.getByLabel('Password').waitFor()],
    ['the public figures without a login', shared, settled],
    ['no public figures', '/public/none', (page) => page.locator('.problem, h1').first().waitFor()],
  ];
}

/** Uploads a file of which some rows cannot be imported, and opens all that is said about it. */
async function uploadOnce(page: Page): Promise<void> {
  const name = `${'long'.repeat(20)}.ndjson`;
  const card = page.getByRole('region', { name });
  await page.getByText('Imported').or(page.getByText('Choose a file')).first().waitFor();
  await page.waitForLoadState('networkidle');
  if ((await card.count()) === 0) {
    const buffer = Buffer.from(toNdjson([{}, { url: 'https://other.example/' }, { url: 'nowhere' }]));
    await page.getByLabel('File to import').setInputFiles({ name, mimeType: '', buffer });
  }
  await card.getByText('2 events, about').waitFor();
  for (const summary of await card.locator('summary').all()) await summary.click();
}
