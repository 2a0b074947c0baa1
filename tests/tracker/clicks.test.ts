import { describe, expect, test } from 'bun:test';
import { CODE, openPage, type Page } from '../support/tracker-page.ts';

const quiet = async (page: Page) => {
  await page.flush();
  return page.events
    .filter(({ eventType }) => eventType !== 'pageview')
    .map(({ eventType, properties }) => ({ eventType, ...properties }));
};

type Case = { name: string; html: string; clicked?: string; expected: object[] };
const link = (href: string, text: string, type: string) => ({ eventType: 'click', href, text, type });

const cases: Case[] = [
  {
    name: 'a link within the site',
    html: '<a href="/pricing?x=1#top">Pricing</a>',
    expected: [link('https://site.example/pricing?x=1', 'Pricing', 'internal')],
  },
  {
    name: 'a link to another site, with its id',
    html: '<a id="partner" href="https://other.example/x">Other</a>',
    expected: [{ ...link('https://other.example/x', 'Other', 'outbound'), id: 'partner' }],
  },
  {
    name: 'a link without the name and the password in it',
    html: '<a href="https://ada:secret@other.example/x@y">Other</a>',
    expected: [link('https://other.example/x@y', 'Other', 'outbound')],
  },
  {
    name: 'a sign in the path of a link that looks like one',
    html: '<a href="https://other.example/@ada?to=a@b.example">Other</a>',
    expected: [link('https://other.example/@ada?to=a@b.example', 'Other', 'outbound')],
  },
  {
    name: 'an area of a picture',
    html: '<map><area href="/north"></map>',
    clicked: 'area',
    expected: [link('https://site.example/north', '', 'internal')],
  },
  {
    name: 'a link to another port, which is another site',
    html: '<a href="https://site.example:8443/">Port</a>',
    expected: [link('https://site.example:8443/', 'Port', 'outbound')],
  },
  {
    name: 'a file',
    html: '<a href="https://cdn.example/report.PDF?v=2">Report</a>',
    expected: [link('https://cdn.example/report.PDF?v=2', 'Report', 'download')],
  },
  {
    name: 'a link that is marked as a download',
    html: '<a href="/export" download>Export</a>',
    expected: [link('https://site.example/export', 'Export', 'download')],
  },
  {
    name: 'an address for mail',
    html: '<a href="mailto:hello@site.example">Write</a>',
    expected: [link('mailto:hello@site.example', 'Write', 'mailto')],
  },
  {
    name: 'an address for mail that looks like a file',
    html: '<a href="mailto:hello@site.zip">Write</a>',
    expected: [link('mailto:hello@site.zip', 'Write', 'mailto')],
  },
  {
    name: 'a telephone number',
    html: '<a href="tel:+4312345">Call</a>',
    expected: [link('tel:+4312345', 'Call', 'tel')],
  },
  {
    name: 'code, by its scheme only',
    html: '<a href="javascript:void(secret)">Run</a>',
    expected: [link('javascript:', 'Run', 'javascript')],
  },
  {
    name: 'data, by its scheme only',
    html: '<a href="data:text/plain,secret">Data</a>',
    expected: [link('data:', 'Data', 'data')],
  },
  {
    name: 'an element within a link',
    html: '<a href="/x"><b>  Deep\n   <i id="i">text</i></b> </a>',
    clicked: '#i',
    expected: [link('https://site.example/x', 'Deep text', 'internal')],
  },
  {
    name: 'a link within an SVG',
    html: '<svg><a href="/x"><text id="t">Chart</text></a></svg>',
    clicked: '#t',
    expected: [link('https://site.example/x', 'Chart', 'internal')],
  },
  {
    name: 'at most 100 characters of text and 2,048 of address',
    html: `<a href="/${'x'.repeat(3_000)}">${'t'.repeat(200)}</a>`,
    expected: [link(`https://site.example/${'x'.repeat(2_027)}`, 't'.repeat(100), 'internal')],
  },
  { name: 'not an anchor without an address', html: '<a name="top">Top</a>', expected: [] },
  { name: 'not an address that is none', html: '<a href="http://[">Bad</a>', expected: [] },
  { name: 'not a button', html: '<button>Buy</button>', clicked: 'button', expected: [] },
  {
    name: 'an element with a name, and its properties',
    html: '<button data-track-event="buy" data-track-prop-plan="pro" data-track-prop-from-page="home" data-x="y">Buy</button>',
    clicked: 'button',
    expected: [{ eventType: 'custom', name: 'buy', plan: 'pro', 'from-page': 'home' }],
  },
  {
    name: 'an element within one with a name',
    html: '<div data-track-event="card"><span>Text</span></div>',
    clicked: 'span',
    expected: [{ eventType: 'custom', name: 'card' }],
  },
  {
    name: 'an element with a name in its class, where no attributes are allowed',
    html: '<p class="wp-block pm-event=Sign+up is-style-x"><b>Text</b></p>',
    clicked: 'b',
    expected: [{ eventType: 'custom', name: 'Sign up' }],
  },
  {
    name: 'an SVG with a name in its class',
    html: '<svg class="pm-event=logo"><g id="g"></g></svg>',
    clicked: '#g',
    expected: [{ eventType: 'custom', name: 'logo' }],
  },
  {
    name: 'an element with a name in its attribute and in its class',
    html: '<p class="pm-event=class" data-track-event="attribute">Text</p>',
    clicked: 'p',
    expected: [{ eventType: 'custom', name: 'attribute' }],
  },
  {
    name: 'not a form with a name, which is submitted',
    html: '<form data-track-event="order"><i>Text</i></form>',
    clicked: 'i',
    expected: [],
  },
  {
    name: 'a link with a name, as both',
    html: '<a href="/x" data-track-event="cta">Go</a>',
    expected: [{ eventType: 'custom', name: 'cta' }, link('https://site.example/x', 'Go', 'internal')],
  },
];

describe('a click counts', () => {
  test.each(cases)('$name', async ({ html, clicked = 'a', expected }) => {
    const page = openPage({ html });
    const target = page.document.querySelector(clicked);
    target?.dispatchEvent(new page.window.MouseEvent('click', { bubbles: true, composed: true }));
    expect<object[]>(await quiet(page)).toEqual(expected);
  });

  test('a link in an open shadow root', async () => {
    const page = openPage({ html: '<div id="host"></div>' });
    const root = page.document.querySelector('#host')?.attachShadow({ mode: 'open' });
    if (root) root.innerHTML = '<a href="/shadow"><b>Shadow</b></a>';
    root
      ?.querySelector('b')
      ?.dispatchEvent(new page.window.MouseEvent('click', { bubbles: true, composed: true }));
    expect<object[]>(await quiet(page)).toEqual([link('https://site.example/shadow', 'Shadow', 'internal')]);
  });

  test.each([
    ['the middle button, which opens a tab', 'auxclick', 1, 1],
    ['not the right button', 'auxclick', 2, 0],
    ['not a button further on', 'auxclick', 3, 0],
  ])('%s', async (_name, type, button, count) => {
    const page = openPage({ html: '<a href="/x">x</a>' });
    page.document
      .querySelector('a')
      ?.dispatchEvent(new page.window.MouseEvent(type, { button, bubbles: true, composed: true }));
    expect((await quiet(page)).length).toBe(count);
  });

  test('although the page stops it, and prevents nothing itself', async () => {
    const page = openPage({ html: '<a href="/x">x</a>' });
    const anchor = page.document.querySelector('a');
    anchor?.addEventListener('click', (event) => event.stopImmediatePropagation());
    const click = new page.window.MouseEvent('click', { bubbles: true, composed: true, cancelable: true });
    anchor?.dispatchEvent(click);
    expect(click.defaultPrevented).toBe(false);
    expect((await quiet(page)).length).toBe(1);
  });

  test('with the page that it happened on', async () => {
    const page = openPage({ html: '<a href="/x">x</a>' });
    page.document
      .querySelector('a')
      ?.addEventListener('click', () => page.window.history.pushState({}, '', '/x'));
    page.document.querySelector('a')?.click();
    await page.pass(1);
    await page.flush();
    expect(page.events.slice(1).map(({ eventType, url }) => [eventType, url])).toEqual([
      ['click', 'https://site.example/start'],
      ['pageview', 'https://site.example/x'],
    ]);
  });

  test('only pageviews, and no click, with data-auto="false"', async () => {
    const page = openPage({
      tag: { 'data-tracking-code': CODE, 'data-auto': 'false' },
      html: '<a href="/x" data-track-event="a">x</a>',
    });
    page.document.querySelector('a')?.click();
    await page.flush();
    expect(page.requests).toEqual([]);
  });
});
