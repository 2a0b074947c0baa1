import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Importing, startImporting } from './importing.ts';

/** The files of an export of Plausible, as its documentation describes them: sums of days. */

const FILES = {
  'imported_visitors_20260101_20260103.csv': `"date","visitors","pageviews","bounces","visits","visit_duration"
"2026-01-01",10,30,4,12,1200
"2026-01-02",20,40,5,22,2200
"2026-01-03",5,6,1,6,60
`,
  'imported_sources_20260101_20260103.csv': `"date","source","referrer","utm_source","utm_medium","utm_campaign","utm_content","utm_term","pageviews","visitors","visits","visit_duration","bounces"
"2026-01-01","Google","google.com","","","","","",20,6,7,700,2
"2026-01-01","Direct / None","","","","","","",10,4,5,500,2
"2026-01-02","Google","google.com","ads","cpc","spring","","",40,20,22,2200,5
`,
  'imported_pages_20260101_20260103.csv': `"date","hostname","page","visits","visitors","pageviews","total_scroll_depth"
"2026-01-01","example.com","/",12,10,25,900
"2026-01-01","example.com","/about",3,3,5,90
"2026-01-02","shop.example.com","/",22,20,40,900
`,
  'imported_locations_20260101_20260103.csv': `"date","country","region","city","visitors","visits","visit_duration","bounces","pageviews"
"2026-01-01","DE","DE-BY","2867714",7,8,800,3,20
"2026-01-01","FR","","0",3,4,400,1,10
`,
};

let importing: Importing;
beforeEach(async () => {
  importing = await startImporting();
});
afterEach(() => importing.close());

const imported = (query: string) =>
  importing.get(`/websites/${importing.website.id}/stats/imported?${query}`);
const RANGE = 'from=2026-01-01&to=2026-01-03';
const filters = (...list: unknown[]) => `&filters=${encodeURIComponent(JSON.stringify(list))}`;

test('a dry run of sums names the days, the columns and what cannot be read', async () => {
  const broken = FILES['imported_visitors_20260101_20260103.csv'].replace(
    '"2026-01-03",5',
    '"2026-01-03",-5',
  );
  const preview = await importing.preview({
    ...FILES,
    'imported_visitors_20260101_20260103.csv': broken,
    'imported_custom_events_20260101_20260103.csv': '"date","name"\n',
  });
  expect(preview).toMatchObject({
    rows: 11,
    accepted: 10,
    duplicates: 0,
    days: 2,
    hosts: [],
    rejectedRows: [
      {
        file: 'imported_visitors_20260101_20260103.csv',
        line: 4,
        reason: 'visitors: Must be a whole number from 0',
      },
    ],
  });
});

test('sums come once, are not among the figures of events, and go with an undo', async () => {
  const first = await importing.run(FILES);
  expect(first).toMatchObject({ added: 11, duplicates: 0 });
  expect(await importing.run(FILES)).toMatchObject({ added: 0, duplicates: 11 });
  expect(await importing.get(`/websites/${importing.website.id}/stats?${RANGE}`)).toMatchObject({
    visitors: 0,
  });
  expect(await imported(`${RANGE}&interval=day&breakdowns=source,page,country,os,event`)).toEqual({
    imported: true,
    range: {
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-04T00:00:00.000Z',
      timezone: 'UTC',
      interval: 'day',
    },
    skipped: null,
    until: null,
    totals: { visitors: 35, visits: 40, pageviews: 76, bounceRate: 0.25, visitDuration: 86.5 },
    points: [
      {
        time: '2026-01-01T00:00:00.000Z',
        visitors: 10,
        visits: 12,
        pageviews: 30,
        bounceRate: 4 / 12,
        visitDuration: 100,
      },
      {
        time: '2026-01-02T00:00:00.000Z',
        visitors: 20,
        visits: 22,
        pageviews: 40,
        bounceRate: 5 / 22,
        visitDuration: 100,
      },
      {
        time: '2026-01-03T00:00:00.000Z',
        visitors: 5,
        visits: 6,
        pageviews: 6,
        bounceRate: 1 / 6,
        visitDuration: 10,
      },
    ],
    breakdowns: [
      {
        dimension: 'source',
        isIncluded: true,
        rows: [
          {
            value: 'Google',
            visitors: 26,
            visits: 29,
            pageviews: 60,
            bounceRate: 7 / 29,
            visitDuration: 100,
          },
          { value: null, visitors: 4, visits: 5, pageviews: 10, bounceRate: 0.4, visitDuration: 100 },
        ],
        total: 2,
      },
      {
        dimension: 'page',
        isIncluded: true,
        rows: [
          { value: '/', visitors: 30, visits: 34, pageviews: 65, bounceRate: null, visitDuration: null },
          { value: '/about', visitors: 3, visits: 3, pageviews: 5, bounceRate: null, visitDuration: null },
        ],
        total: 2,
      },
      expect.objectContaining({ dimension: 'country', isIncluded: true, total: 2 }),
      { dimension: 'os', isIncluded: false, rows: [], total: 0 },
      { dimension: 'event', isIncluded: false, rows: [], total: 0 },
    ],
  });
  await importing.importer.undo(first.import.key);
  expect(await imported(RANGE)).toMatchObject({ skipped: 'no_imported_data', points: [] });
});

test('filters of one family are applied, and others are said to be unsupported', async () => {
  await importing.run(FILES);
  const ofSpring = filters(['is', 'utmCampaign', ['spring']]);
  expect(await imported(`${RANGE}${ofSpring}&breakdowns=source,utmMedium,page`)).toMatchObject({
    totals: { visitors: 20, visits: 22 },
    breakdowns: [
      { isIncluded: true, rows: [{ value: 'Google', visitors: 20 }] },
      { isIncluded: true, rows: [{ value: 'cpc', visitors: 20 }] },
      { isIncluded: false, rows: [] },
    ],
  });
  const onShop = filters(['contains', 'hostname', ['SHOP']]);
  expect(await imported(`${RANGE}${onShop}&breakdowns=page`)).toMatchObject({
    totals: { pageviews: 40 },
    breakdowns: [{ rows: [{ value: '/', visitors: 20 }] }],
  });
  const notGerman = filters(['is_not', 'country', ['DE']]);
  expect(await imported(`${RANGE}${notGerman}`)).toMatchObject({ totals: { visitors: 3 } });
  const mixed = filters(['is', 'country', ['DE']], ['is', 'page', ['/']]);
  expect(await imported(`${RANGE}${mixed}`)).toMatchObject({ skipped: 'unsupported_filter' });
  expect(await imported(`${RANGE}${filters(['is', 'event', ['signup']])}`)).toMatchObject({
    skipped: 'unsupported_filter',
  });
  expect(await imported(`${RANGE}&interval=hour`)).toMatchObject({ skipped: 'unsupported_interval' });
});

test('sums end with the day of the first event, in the time zone of the question', async () => {
  await importing.run(FILES);
  const event = {
    id: crypto.randomUUID(),
    eventType: 'pageview',
    url: 'https://example.com/',
    sessionId: 's',
    visitorId: 'v',
    createdAt: '2026-01-02T20:00:00.000Z',
  };
  await importing.run({ 'events.ndjson': JSON.stringify(event) });
  expect(await imported(RANGE)).toMatchObject({
    until: '2026-01-02T00:00:00.000Z',
    totals: { visitors: 10 },
  });
  // In Kathmandu, a quarter of an hour before 02:00 of the third.
  expect(await imported(`${RANGE}&timezone=Asia/Kathmandu&interval=day`)).toMatchObject({
    until: '2026-01-02T18:15:00.000Z',
    totals: { visitors: 30 },
    points: [{ time: '2025-12-31T18:15:00.000Z' }, { time: '2026-01-01T18:15:00.000Z' }],
  });
  expect(await imported('from=2026-01-01&to=2026-01-31&interval=month')).toMatchObject({
    points: [{ time: '2026-01-01T00:00:00.000Z', visitors: 10 }],
  });
});

test('the period of all begins with the first sum', async () => {
  await importing.run(FILES);
  const { range } = await importing.get(`/websites/${importing.website.id}/stats?period=all`);
  expect(range.from).toBe('2026-01-01T00:00:00.000Z');
});

test('clients of Plausible get sums when they ask for them, with the reason when they get none', async () => {
  const { website, person } = importing;
  const ask = async (body: object) => {
    const path = `/api/v1/websites/${website.id}/query`;
    const whole = { date_range: ['2026-01-01', '2026-01-03'], include: { imports: true }, ...body };
    const answer = await importing.send('POST', path, { token: person.token, body: whole });
    return { results: answer.body.results, meta: answer.body.meta };
  };
  await importing.run(FILES);
  const metrics = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration', 'views_per_visit'];
  expect(await ask({ metrics })).toEqual({
    results: [{ dimensions: [], metrics: [35, 40, 76, 25, 87, 1.9] }],
    meta: { imports_included: true },
  });
  expect(await ask({ metrics: ['visits'], dimensions: ['time:day'] })).toMatchObject({
    results: [
      { dimensions: ['2026-01-01'], metrics: [12] },
      { dimensions: ['2026-01-02'], metrics: [22] },
      { dimensions: ['2026-01-03'], metrics: [6] },
    ],
  });
  const sources = { metrics: ['visitors'], dimensions: ['visit:source'] };
  expect(await ask(sources)).toEqual({
    results: [
      { dimensions: ['Google'], metrics: [26] },
      { dimensions: ['Direct / None'], metrics: [4] },
    ],
    meta: { imports_included: true },
  });
  const notGoogle = [['is_not', 'visit:source', ['Google']]];
  expect((await ask({ ...sources, filters: notGoogle })).results).toEqual([
    { dimensions: ['Direct / None'], metrics: [4] },
  ]);
  expect(await ask({ metrics: ['visitors'], dimensions: ['visit:source', 'visit:country'] })).toEqual({
    results: [],
    meta: { imports_included: false, imports_skip_reason: 'unsupported_query' },
  });
  expect((await ask({ metrics, include: {} })).results).toEqual([
    { dimensions: [], metrics: [0, 0, 0, 0, 0, 0] },
  ]);
});

test('sums are a file as well', async () => {
  await importing.run(FILES);
  const path = `/api/v1/websites/${importing.website.id}/stats/imported?${RANGE}&breakdowns=country&interval=month&format=csv`;
  const { body } = await importing.send('GET', path, { token: importing.person.token });
  expect(
    body.replaceAll('\r', ''),
  ).toBe(`of,time,dimension,value,visitors,visits,pageviews,bounceRate,visitDuration
totals,,,,35,40,76,0.25,86.5
point,2026-01-01T00:00:00.000Z,,,35,40,76,0.25,86.5
value,,country,DE,7,8,20,0.375,100
value,,country,FR,3,4,10,0.25,100
`);
});
