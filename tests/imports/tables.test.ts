import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Importing, startImporting } from './importing.ts';

/** Exports whose events are spread over several tables or columns. */

let importing: Importing;
beforeEach(async () => {
  importing = await startImporting();
});
afterEach(() => importing.close());

const EVENT = '0b6f1c1a-8e3c-4b0f-9d56-0a3c1ad00001';
const SESSION = '1d5c3bb1-3a54-5a0e-9b2c-2c1f1f0f0a01';
const FROM_UMAMI = [
  expect.objectContaining({
    eventType: 'custom',
    url: 'https://www.example.com/pricing',
    visitorId: SESSION,
    browser: 'Firefox',
    os: 'Linux',
    location: 'DE',
    properties: { plan: 'pro "plus"', seats: '3', name: 'signup' },
    createdAt: '2026-10-01T10:00:00.000Z',
  }),
];

test('tables of Umami are joined, in whichever order their files are given', async () => {
  const { preview, run, events } = importing;
  const files = {
    'website_event.csv': `event_id,website_id,session_id,created_at,url_path,event_type,event_name,hostname
${EVENT},w,${SESSION},2026-10-01 10:00:00+00,/pricing,2,signup,www.example.com
`,
    'event_data.csv': `event_data_id,website_id,website_event_id,data_key,string_value,number_value,date_value,data_type,created_at
1,w,${EVENT},plan,"pro ""plus""",,,1,2026-10-01 10:00:00+00
2,w,${EVENT},seats,,3,,2,2026-10-01 10:00:00+00
`,
    'session.csv': `session_id,website_id,browser,os,device,screen,language,country
${SESSION},w,firefox,Linux,desktop,1920x1080,de-DE,DE
`,
  };
  const { columns, ...found } = await preview(files);
  expect(found).toMatchObject({ rows: 1, accepted: 1 });
  expect(columns).toContainEqual({ column: 'os', field: 'os' }); // of another file than the first
  await run(files);
  expect(await events()).toEqual(FROM_UMAMI);
});

test('a plain dump of PostgreSQL holds the same tables, among others', async () => {
  const { run, events } = importing;
  const dump = `--
-- PostgreSQL database dump
--

SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.website_event (event_id uuid);

COPY public.account (id, name) FROM stdin;
1\tnot an event
\\.

COPY public.event_data (event_data_id, website_id, website_event_id, data_key, string_value, number_value, date_value) FROM stdin;
1\tw\t${EVENT}\tplan\tpro "plus"\t\\N\t\\N
2\tw\t${EVENT}\tseats\t\\N\t3\t\\N
\\.

COPY public.session (session_id, browser, os, device, screen, country, "language") FROM stdin;
${SESSION}\tfirefox\tLinux\tdesktop\t1920x1080\tDE\tde-DE
\\.

COPY public.website_event (event_id, session_id, created_at, url_path, url_query, event_type, event_name, hostname, page_title) FROM stdin;
${EVENT}\t${SESSION}\t2026-10-01 10:00:00+00\t/pricing\t\\N\t2\tsignup\twww.example.com\ta\\ttab and\\na line
\\.
`;
  expect(await run({ 'umami.sql': dump })).toMatchObject({ rows: 1, added: 1 });
  expect(await events()).toEqual(FROM_UMAMI);
  expect(await run({ 'umami.sql.gz': Bun.gzipSync(dump) })).toMatchObject({ added: 0, duplicates: 1 });
});

test('visits of Matomo as CSV, in UTF-16 as it sends them, are the same events as its JSON', async () => {
  const { run, events } = importing;
  const visit = {
    idSite: '1',
    idVisit: '331',
    visitorId: '24b3a1c0d1e2f3a4',
    referrerUrl: 'https://news.example/',
    browserName: 'Firefox',
    countryCode: 'de',
  };
  const actions = [
    { type: 'action', url: 'https://example.com/', pageId: '1', timestamp: '1790848800' },
    {
      type: 'event',
      url: 'https://example.com/',
      pageId: '2',
      timestamp: '1790848810',
      eventCategory: 'video',
      eventAction: 'play',
    },
  ];
  const columns = actions.flatMap((action, index) =>
    Object.entries(action).map(([name, value]) => [`actionDetails_${index}_${name}`, value] as const),
  );
  const all = [...Object.entries(visit), ...columns, ['actionDetails_2_url', ''] as const];
  const csv = `${all.map(([name]) => name).join(',')}\n${all.map(([, value]) => value).join(',')}\n`;
  const utf16 = Buffer.from(`\ufeff${csv}`, 'utf16le');
  expect(await run({ 'visits.csv': utf16 })).toMatchObject({ rows: 2, added: 2 });
  expect(await events()).toEqual([
    expect.objectContaining({
      eventType: 'pageview',
      url: 'https://example.com/',
      referrer: 'https://news.example/',
      visitorId: '24b3a1c0d1e2f3a4',
      browser: 'Firefox',
      location: 'DE',
      createdAt: '2026-10-01T10:00:00.000Z',
    }),
    expect.objectContaining({ eventType: 'custom', properties: { name: 'play', category: 'video' } }),
  ]);
  const json = JSON.stringify([{ ...visit, actionDetails: actions }]);
  expect(await run({ 'visits.json': json })).toMatchObject({ added: 0, duplicates: 2 });
});
