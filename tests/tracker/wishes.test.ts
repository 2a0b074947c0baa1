import { describe, expect, test } from 'bun:test';
import { CODE, openPage, type PageOptions } from '../support/tracker-page.ts';

/**
 * Requests of a page other than pageviews and clicks: forms, a word about itself, properties of all events, paths left
 * out.
 */

const sentBy = async (page: ReturnType<typeof openPage>): Promise<object[]> => {
  await page.flush();
  return page.events.map(({ eventType, properties }) => ({ eventType, ...properties }));
};
const VIEW = { eventType: 'pageview' };
const tag = (attributes: Record<string, string>): PageOptions => ({
  tag: { 'data-tracking-code': CODE, ...attributes },
});

describe('a form that is submitted', () => {
  const submit = async (html: string, options: PageOptions = {}) => {
    const page = openPage({ html, ...options });
    page.document.querySelector('form')?.dispatchEvent(new page.window.Event('submit', { bubbles: true }));
    return (await sentBy(page)).slice(1);
  };

  test('counts when the tag asks for forms, with its id', async () => {
    expect(await submit('<form id="news"></form>')).toEqual([]);
    expect(await submit('<form id="news"></form>', tag({ 'data-forms': '' }))).toEqual([
      { eventType: 'custom', name: 'form submit', id: 'news' },
    ]);
    expect(await submit('<form></form>', tag({ 'data-forms': '' }))).toEqual([
      { eventType: 'custom', name: 'form submit', id: null },
    ]);
  });

  test('counts by its own name in any case', async () => {
    expect(await submit('<form data-track-event="order" data-track-prop-plan="pro"></form>')).toEqual([
      { eventType: 'custom', name: 'order', plan: 'pro' },
    ]);
    expect(await submit('<form class="pm-event=News+letter"></form>', tag({ 'data-forms': '' }))).toEqual([
      { eventType: 'custom', name: 'News letter' },
    ]);
  });

  test('is nothing where pages count for themselves', async () => {
    const page = openPage({ html: '<form></form>', ...tag({ 'data-forms': '', 'data-auto': 'false' }) });
    page.document.querySelector('form')?.dispatchEvent(new page.window.Event('submit', { bubbles: true }));
    expect(await sentBy(page)).toEqual([]);
  });
});

test('a page says by one line what it is, with each of its views', async () => {
  const page = openPage({ html: '<meta name="pm-event" content="404">' });
  expect(await sentBy(page)).toEqual([VIEW, { eventType: 'custom', name: '404' }]);
});

test('properties of init() are those of every event, which may have its own', async () => {
  const page = openPage({ html: '<a href="/x" id="link">x</a>', tag: {} });
  const properties = { theme: 'dark', plan: 'free' };
  page.tracker.init({ trackingCode: CODE, properties });
  properties.theme = 'light';
  page.tracker.track('signup', { plan: 'pro' });
  page.document
    .querySelector('a')
    ?.dispatchEvent(new page.window.MouseEvent('click', { bubbles: true, composed: true }));
  // happy-dom follows the link.
  expect((await sentBy(page)).slice(0, 3)).toMatchObject([
    { eventType: 'pageview', theme: 'dark', plan: 'free' },
    { eventType: 'custom', name: 'signup', theme: 'light', plan: 'pro' },
    { eventType: 'click', theme: 'light', plan: 'free', id: 'link' },
  ]);
});

describe('paths that the tag leaves out', () => {
  test.each([
    ['/#/admin/**', '/?a=1#/admin/users?b=2', true],
    ['/app/#!/*', '/app/#!/a', true],
    ['/', '/#/admin', false],
    ['/', '/#top', true],
  ])('%p at %s, which has a route', async (exclude, path, isLeftOut) => {
    const attributes = tag({ 'data-exclude': exclude, 'data-hash': '' });
    const page = openPage({ url: `https://site.example${path}`, ...attributes });
    page.tracker.track('signup');
    expect((await sentBy(page)).length).toBe(isLeftOut ? 0 : 2);
  });

  test.each([
    ['/admin/**', '/admin/users/1', true],
    ['/admin/**', '/admin', false],
    ['/preview/*', '/preview/a', true],
    ['/preview/*', '/preview/a/b', false],
    ['/a,/b', '/b', true],
    [' /a, /b ', '/b', true],
    ['/a.b', '/aXb', false],
    ['/a.b', '/a.b', true],
    ['', '/', false],
    ['/(', '/(', true],
    ['/', '/?a#b', true],
    ['/#/admin/**', '/#/admin/users', false],
  ])('%p at %s', async (exclude, path, isLeftOut) => {
    const page = openPage({ url: `https://site.example${path}`, ...tag({ 'data-exclude': exclude }) });
    page.tracker.track('signup');
    expect((await sentBy(page)).length).toBe(isLeftOut ? 0 : 2);
  });
});
