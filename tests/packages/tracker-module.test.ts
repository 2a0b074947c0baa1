import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toTrackerModule } from '../../packages/tracker-module.ts';
import { CODE, openPage } from '../support/tracker-page.ts';

const API = 'https://meter.example/m';
const EXPORTED = /export \{([^}]*)\};?\s*$/;

const text = await toTrackerModule();
/** A function has no exports: what the module gives is put into the window. */
const asScript = text.replace(EXPORTED, (_, names: string) => `window.exported = {${names}};`);

// biome-ignore lint/suspicious/noExplicitAny: what the module exports, whose types are those of packages/tracker/index.ts
type Exported = Record<string, (...given: any[]) => unknown>;

function open() {
  const page = openPage({ tag: null, text: asScript });
  const { exported } = page.window as unknown as { exported: Exported };
  const { init, track, pageview, flush, optOut } = exported;
  if (!init || !track || !pageview || !flush || !optOut) throw new Error('An export is missing.');
  return { page, init, track, pageview, flush, optOut };
}

test('counts nothing before init', async () => {
  const { page, track } = open();
  track('early');
  await page.pass(10_000);
  expect(page.requests).toEqual([]);
});

test('init counts the page, and what was called before it', async () => {
  const { page, init, track } = open();
  track('early', { plan: 'pro' });
  init({ trackingCode: CODE, apiUrl: API });
  track('late');
  await page.pass(10_000);
  expect(page.requests.map(({ url }) => url)).toEqual([`${API}/batch`]);
  expect(page.events.map(({ eventType, properties }) => [eventType, properties?.name]).toSorted()).toEqual([
    ['custom', 'early'],
    ['custom', 'late'],
    ['pageview', undefined],
  ]);
  expect(new Set(page.events.map(({ trackingCode }) => trackingCode))).toEqual(new Set([CODE]));
});

test('a second init changes settings, and counts nothing twice', async () => {
  const { page, init, flush } = open();
  init({ trackingCode: CODE, apiUrl: API });
  init({ trackingCode: CODE, apiUrl: API, properties: { plan: 'pro' } });
  await page.pass(0);
  await Promise.all([flush(), page.pass(0)]);
  expect(page.events).toHaveLength(1);
});

test('optOut before init is kept: nothing is sent', async () => {
  const { page, init, optOut } = open();
  optOut();
  init({ trackingCode: CODE, apiUrl: API });
  await page.pass(10_000);
  expect(page.events).toEqual([]);
  expect(Object.values(page.stored)).toEqual(['1']); // the refusal, and no id
});

test('does nothing on a server', async () => {
  const name = join(mkdtempSync(join(tmpdir(), 'pagemeter-module-')), 'tracker.mjs');
  await Bun.write(name, text);
  const { init, track, pageview, flush, optOut, optIn, consent } = await import(name);
  for (const call of [
    () => init({ trackingCode: CODE, apiUrl: API }),
    () => track('a'),
    pageview,
    optOut,
    optIn,
    () => consent(true),
    flush,
  ])
    expect(await call()).toBeUndefined();
});
