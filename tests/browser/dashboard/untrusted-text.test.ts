import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { ANY_PROPERTY, idOfTab, PANELS, type Tab } from '../../../src/dashboard/panels/panels.ts';
import { readViewState, toSearch } from '../../../src/dashboard/state/view-state.ts';
import { findChromium, launchChromium } from '../../support/browser.ts';
import { INHERITED, PAYLOADS } from './payloads.ts';
import { createStage, idle, type Stage } from './stage.ts';

/** Senders of events write the texts of the dashboard. They are never anything but text. */

setDefaultTimeout(180_000);

const chromium = findChromium();

describe.if(chromium !== undefined)('texts of strangers', () => {
  let stage: Stage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([
      createStage({ events: 0, name: PAYLOADS[7] }),
      launchChromium(chromium ?? ''),
    ]);
    await stage.call('PATCH', `/websites/${stage.website.id}/settings`, { isPublic: true });
    await stage.sendAll(PAYLOADS.flatMap((text, index) => eventsOf(text, index, stage.website.trackingCode)));
    for (const [index, text] of PAYLOADS.entries())
      if (index % 8 === 0) await stage.addWebsite(text, `https://site-${index}.example`);
    await stage.call('PUT', `/websites/${stage.website.id}`, { description: PAYLOADS[1] });
    await stage.call('PATCH', '/auth/me', { name: PAYLOADS[9] });
    await stage.call('POST', '/auth/api-keys', { name: PAYLOADS[10] });
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  test('run nothing, become no element and no link that leads anywhere but to the web', async () => {
    const { page, complaints, close } = await stage.open(browser, 'about:blank', {
      bypassCSP: true, // the policy is a second wall; this is about the first
    });
    let hits = 0;
    await page.exposeFunction('hit', () => {
      hits += 1;
    });
    page.on('dialog', (dialog) => {
      hits += 1;
      void dialog.dismiss();
    });
    const seen = new Set<string>();
    for (const [path, part] of addresses(stage)) {
      await page.goto(stage.url.replace(/\/$/, '') + path);
      await page.locator(part).first().waitFor();
      await idle(page);
      expect([path, ...(await strangeParts(page))]).toEqual([path]);
      const text = await page.evaluate<string>('document.body.innerText');
      for (const payload of PAYLOADS) if (text.includes(payload)) seen.add(payload);
      await page.evaluate(`for (const element of document.querySelectorAll('*'))
        for (const type of ['mouseover', 'pointermove', 'toggle']) element.dispatchEvent(new Event(type))`);
    }
    expect(PAYLOADS.filter((payload) => !seen.has(payload))).toEqual([]); // they were there
    expect(hits).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('break no page when they are names of every object, such as constructor', async () => {
    const { id, trackingCode } = await stage.addWebsite('Inherited names', 'https://names.example');
    await stage.call('PATCH', `/websites/${id}/settings`, { isPublic: true });
    await stage.sendAll(INHERITED.flatMap((text, index) => eventsOf(text, index, trackingCode)));
    const [dashboard, shared] = [`/websites/${id}`, `/public/${id}`];
    const { page, complaints, close } = await stage.open(browser, 'about:blank');
    for (const [path, part] of [
      [dashboard, '.map-legend'],
      [`${dashboard}?tab.sources=utmSource`, '.panel .bar-row'],
      [`${dashboard}?tab.devices=os`, '.panel .bar-row'],
      [`${dashboard}?tab.locations=country`, '.map-legend'],
      [`${dashboard}?tab.constructor=toString&details=constructor&period=all`, '.panel .bar-row'],
      [`${dashboard}/realtime`, '.feed-list li'],
      [`${dashboard}/sessions`, '.people-main'],
      [`${dashboard}/sessions/constructor`, '.path li'],
      [`${dashboard}/visitors`, '.people-main'],
      [`${dashboard}/visitors/constructor`, '.path li'],
      [`${dashboard}/goals/funnels?step=page,/&step=goal,constructor&window=toString`, '.problem'],
      [shared, '.panel .bar-row'],
    ] as const) {
      await page.goto(stage.url.replace(/\/$/, '') + path);
      await page.locator(part).first().waitFor();
      await idle(page);
      expect([path, ...complaints]).toEqual([path]);
    }
    await close();
  });
});

/** A text in every field that the dashboard shows, as far as the API lets it in. */
function eventsOf(text: string, index: number, trackingCode: string): unknown[] {
  const inQuery = encodeURIComponent(text);
  const tags = ['source', 'medium', 'campaign', 'term', 'content'].map((tag) => `utm_${tag}=${inQuery}`);
  const common = {
    trackingCode,
    url: `https://demo.example/${text}?${tags.join('&')}`,
    referrer: `https://elsewhere.example/${text}`,
    sessionId: text,
    visitorId: text,
    browser: text.slice(0, 64),
    os: text.slice(0, 64),
    location: text.slice(0, 16),
    language: 'en',
  };
  return [
    { ...common, eventType: 'pageview' },
    { ...common, eventType: 'custom', properties: { name: text, [text]: text, plan: text } },
    { ...common, eventType: 'click', properties: { href: text, text } },
    { ...common, eventType: 'click', properties: { href: `https://demo.example/${index}`, text } },
  ];
}

/** Whether the payloads are among the values of a tab. */
const showsSent = ({ dimension }: Tab) =>
  !/^(visitorType|region|city|deviceType|language|screen|screenSize|browserVersion|osVersion|website)$/.test(
    dimension,
  );

/** Every list that shows such a text, and a part of it that is there when the texts are. */
function addresses({ dashboard, public: shared }: Stage): [path: string, part: string][] {
  const lists = PANELS.flatMap(({ id: panel, tabs, hasMap }) =>
    [...(hasMap ? ['map'] : []), ...tabs.filter(showsSent).map(idOfTab)].map((tab): [string, string] => [
      `${dashboard}?tab.${panel}=${encodeURIComponent(tab === ANY_PROPERTY ? `${ANY_PROPERTY}plan` : tab)}&details=${panel}`,
      'dialog tbody tr',
    ]),
  );
  const filters = PAYLOADS.slice(0, 8).map((text) => ({
    operator: 'is_not' as const,
    dimension: 'browser',
    values: [text],
  }));
  const [first = ''] = PAYLOADS;
  const inPath = encodeURIComponent(first);
  return [
    ['/', '.website-figures'],
    [`${dashboard}?tab.locations=country`, '.panel .bar-row'],
    [dashboard + toSearch({ ...readViewState(''), filters }), '.panel .bar-row'],
    ...lists,
    [`${dashboard}/realtime`, '.bar-row'],
    [`${dashboard}/sessions`, '.people-main'],
    [`${dashboard}/sessions/${inPath}`, '.path li'],
    [`${dashboard}/visitors`, '.people-main'],
    [`${dashboard}/visitors/${inPath}`, '.path li'],
    [shared, '.panel .bar-row'],
    [`${dashboard}/settings`, '.settings-card'],
    [`${dashboard}/install`, '.install-card'],
    ['/account', '.settings-card'],
    [`/websites/${inPath}`, 'h1'],
  ];
}

/** Elements and links that are not the dashboard's own. */
function strangeParts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const elements = [...document.querySelectorAll(
      'body :is(script, iframe, object, embed, style, link, meta, base, video, audio, math, marquee, animate, img)',
    )].filter((element) => element.getAttribute('src') !== '/favicon.svg');
    const handled = [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(({ name }) => name.startsWith('on')),
    );
    const links = [...document.querySelectorAll('*')].filter((element) =>
      ['href', 'xlink:href', 'src', 'action', 'formaction'].some(
        (name) => !/^https?:$/.test(new URL(element.getAttribute(name) ?? '', location.href).protocol),
      ),
    );
    return [...elements, ...handled, ...links].map(({ outerHTML }) => outerHTML.slice(0, 200));
  })()`);
}
