import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openStage, type Stage } from '../faults/stage/stage.ts';
import { BROWSER_TEST_TIMEOUT_MS, findChromium, launchChromium } from '../support/browser.ts';
import { idle, USER_AGENT } from './dashboard/stage.ts';

/** What strangers send is text on every page of the dashboard, whatever it looks like. */

const RUN = 'window.wasRun=1';
const PAYLOADS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script src=//evil.example></script>`,
  `"><script>${RUN}</script>`,
  `'><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `]]><script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `"><img src=x onerror=${RUN}>`,
  `<img src=x onerror="${RUN}"//`,
  `<svg onload=${RUN}>`,
  `<svg/onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<math><mtext></mtext><mglyph><img src=x onerror=${RUN}></math>`,
  `<iframe src="javascript:${RUN}">`,
  `<iframe srcdoc="<script>${RUN}</script>">`,
  `<object data="javascript:${RUN}">`,
  `<embed src="javascript:${RUN}">`,
  `<body onload=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<form action="javascript:${RUN}"><button>x`,
  `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<link rel=stylesheet href=//evil.example>`,
  `<base href=//evil.example>`,
  `<style>*{display:none}</style>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `" onmouseover="${RUN}" x="`,
  `' onfocus='${RUN}' autofocus='`,
  '{{constructor.constructor("window.wasRun=1")()}}',
  `\${${RUN}}`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
];
const NAME_LENGTH_MAX = 100;
const SHORT_LENGTH_MAX = 64;

const chromium = findChromium();

describe.if(chromium !== undefined)('the dashboard', () => {
  let stage: Stage;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    stage = await openStage();
    browser = await launchChromium(chromium ?? '');
    context = await browser.newContext({ baseURL: stage.url(), viewport: { width: 1280, height: 900 } });
    await fill();
    await logIn();
  }, BROWSER_TEST_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await stage?.service().stop();
    stage?.remove();
  });

  async function fill(): Promise<void> {
    const { token, website } = stage;
    const events = PAYLOADS.flatMap((payload, index) => [
      event(payload, index, 'pageview'),
      event(payload, index, 'custom'),
    ]);
    const answer = await fetch(`${stage.url()}/api/v1/events/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': USER_AGENT },
      body: JSON.stringify({ events }),
    });
    expect(answer.status).toBe(201);
    for (const [index, payload] of PAYLOADS.entries())
      await stage.call('POST', '/websites', {
        token,
        body: {
          name: payload.slice(0, NAME_LENGTH_MAX),
          domain: `https://w${index}.example`,
          description: payload,
        },
      });
    await stage.call('PUT', `/websites/${website.id}`, {
      token,
      body: { name: PAYLOADS[0], description: PAYLOADS[1] },
    });
    await stage.call('PATCH', '/auth/me', { token, body: { name: PAYLOADS[10] } });
    await stage.call('POST', '/auth/api-keys', { token, body: { name: PAYLOADS[11] } });
  }

  function event(payload: string, index: number, eventType: string) {
    const encoded = encodeURIComponent(payload);
    return {
      trackingCode: stage.website.trackingCode,
      eventType,
      url: `https://example.com/${payload.replace(/[\s\\]/g, '+')}?utm_source=${encoded}&utm_campaign=${encoded}&utm_term=${encoded}#${encoded}`,
      referrer: `https://evil.example/${encoded}`,
      sessionId: payload.slice(0, 128),
      visitorId: payload.slice(0, 128),
      browser: payload.slice(0, SHORT_LENGTH_MAX),
      os: payload.slice(0, SHORT_LENGTH_MAX),
      location: payload.slice(0, 16),
      language: payload.slice(0, 35),
      screen: payload.slice(0, 16),
      properties: { name: payload, [payload.slice(0, 128)]: payload, href: payload, text: payload, index },
    };
  }

  /** With the token of the stage, in the place where the dashboard keeps it. */
  async function logIn(): Promise<void> {
    const login = {
      email: 'owner@example.com',
      accessToken: stage.token,
      refreshToken: '',
      issuedAtMs: Date.now(),
    };
    await context.addInitScript(
      `localStorage.setItem('pagemeter.login', ${JSON.stringify(JSON.stringify(login))})`,
    );
  }

  /** In words, what is on the page that only markup could have put there. */
  function findStrange(page: Page): Promise<string[]> {
    return page.evaluate((run) => {
      const strange: string[] = [];
      for (const element of document.querySelectorAll('*')) {
        const { localName, attributes, outerHTML } = element;
        if (['iframe', 'object', 'embed', 'base', 'math'].includes(localName)) strange.push(outerHTML);
        if (localName === 'script' && element.textContent?.includes(run)) strange.push(outerHTML);
        for (const { name, value } of attributes) {
          if (name.startsWith('on')) strange.push(outerHTML);
          if (['href', 'src', 'action', 'xlink:href'].includes(name)) {
            const { protocol, hostname } = new URL(value, location.href);
            if (!['http:', 'https:', 'blob:'].includes(protocol)) strange.push(outerHTML);
            if (localName !== 'a' && hostname !== location.hostname) strange.push(outerHTML);
          }
        }
      }
      if ('wasRun' in window) strange.push('something was run');
      return strange;
    }, RUN);
  }

  const website = () => `/websites/${stage.website.id}`;
  const first = encodeURIComponent(PAYLOADS[0] ?? '');
  const TEXT = PAYLOADS[0] ?? '';
  /** The address, a part that is there when what strangers sent is, and what the page shows of it, where it shows any. */
  const PAGES: [name: string, path: () => string, part: string, text?: string][] = [
    ['the list of websites', () => '/', '.website-figures', TEXT],
    ['the figures', website, '.panel .bar-row', TEXT],
    ['the figures of one browser', () => `${website()}?f=is,browser,${first}`, '.panel .bar-row', TEXT],
    ['what happens now', () => `${website()}/realtime`, '.panel .bar-row'],
    ['the sessions', () => `${website()}/sessions`, '.people-main', TEXT.slice(0, 16)],
    ['a session', () => `${website()}/sessions/${first}`, '.path li', TEXT],
    ['the visitors', () => `${website()}/visitors`, '.people-main', TEXT.slice(0, 8)],
    ['a visitor', () => `${website()}/visitors/${first}`, '.path li', TEXT],
    ['the settings', () => `${website()}/settings`, '.settings-card', TEXT],
    ['the script tag', () => `${website()}/install`, '.install-card', TEXT],
    ['the account', () => '/account', '.settings-card', PAYLOADS[11] ?? ''],
    ['an address that is markup', () => `/websites/${first}`, 'h1'],
  ];

  for (const [name, path, part, text] of PAGES)
    test(
      `shows what looks like markup as text: ${name}`,
      async () => {
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('dialog', (dialog) => complaints.push(dialog.message()));
        page.on('request', (request) => {
          if (!request.url().startsWith(stage.url()) && !/^(data|blob):/.test(request.url()))
            complaints.push(`asks for ${request.url()}`);
        });
        await page.goto(path());
        await page.locator(part).first().waitFor();
        await idle(page);
        if (text !== undefined)
          await page.waitForFunction((expected) => document.body.textContent?.includes(expected), text);
        expect(await findStrange(page)).toEqual([]);
        expect(complaints).toEqual([]);
        await page.close();
      },
      BROWSER_TEST_TIMEOUT_MS,
    );
});
