import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Importing, startImporting } from './importing.ts';

let importing: Importing;
beforeEach(async () => {
  importing = await startImporting();
});
afterEach(() => importing.close());

const imported = (query: string) =>
  importing.get(`/websites/${importing.website.id}/stats/imported?${query}`);

test('an exploration of Google Analytics 4 with dates becomes sums', async () => {
  const file = `# ----------------------------------------
# Free form 1
# Example - GA4
# 20260101-20260102
# ----------------------------------------

Date,Country,Device category,Total users,Sessions,Views,Bounce rate,Average session duration
,,,30,33,"1,100",0.5,60,Grand total
`;
  await expect(importing.run({ 'report.csv': `${file}20260101,Germany,mobile,1,1,1,0,0\n` })).rejects.toThrow(
    'report.csv has dimensions of several groups (country, device category): export a report for each',
  );
  const ofCountries = file.replace(',Device category', '').replace(',,,30', ',,30');
  const rows =
    '20260101,Germany,10,12,"1,000",0.5,60\n20260102,"Côte d’Ivoire",20,21,100,0.25,30\n20260103,(not set),1,1,1,0,x\n';
  const preview = await importing.preview({
    'report.csv': ofCountries + rows.replace('20260103', '20260231'),
  });
  expect(preview).toMatchObject({
    columns: [
      { column: 'date', field: 'day' },
      { column: 'country', field: 'country' },
      { column: 'total users', field: 'visitors' },
      { column: 'sessions', field: 'visits' },
      { column: 'views', field: 'pageviews' },
      { column: 'bounce rate', field: 'bounces' },
      { column: 'average session duration', field: 'visitDuration' },
    ],
    accepted: 2,
    leftOut: [{ reason: 'totals', count: 1 }],
    rejectedRows: [{ line: 11, reason: 'date: Must be a date such as 20240131' }],
  });
  await importing.run({ 'report.csv': ofCountries + rows });
  expect(await imported('from=2026-01-01&to=2026-01-03&interval=day&breakdowns=country')).toMatchObject({
    skipped: null,
    breakdowns: [
      {
        rows: [
          { value: 'CI', visitors: 20, visits: 21, pageviews: 100, visitDuration: 30 },
          { value: 'DE', visitors: 10, visits: 12, pageviews: 1_000, bounceRate: 0.5, visitDuration: 60 },
          { value: null, visitors: 1 },
        ],
      },
    ],
  });
});

test('numbered days count from the first day that a report of Google Analytics 4 names', async () => {
  const file = '# Start date: 20260228\n# End date: 20260301\nNth day,Active users\n0000,12\n0001,7\n';
  await importing.run({ 'users.csv': file });
  expect(await imported('from=2026-02-01&to=2026-03-31&interval=day')).toMatchObject({
    points: [
      { time: '2026-02-28T00:00:00.000Z', visitors: 12 },
      { time: '2026-03-01T00:00:00.000Z', visitors: 7 },
    ],
  });
});

test('a report of Universal Analytics becomes sums, with figures as it writes them', async () => {
  const file = `# ----------------------------------------
# All Web Site Data
# Audience Overview
# 20230630-20230701
# ----------------------------------------

Day Index,Users,Sessions,Pageviews,Bounce Rate,Avg. Session Duration
6/30/23,"1,200","1,500","4,000",40.00%,00:01:30
7/1/23,8,10,20,50.00%,00:00:10
`;
  await importing.run({ 'overview.csv': file });
  expect(await imported('from=2023-06-30&to=2023-07-01&interval=day')).toMatchObject({
    points: [
      { visitors: 1_200, visits: 1_500, pageviews: 4_000, bounceRate: 0.4, visitDuration: 90 },
      { visitors: 8, visits: 10, pageviews: 20, bounceRate: 0.5, visitDuration: 10 },
    ],
  });
});

test('a report without days, or with an unknown dimension, is refused with the reason', async () => {
  await expect(importing.run({ 'pages.csv': 'Page path,Views\n/,10\n' })).rejects.toThrow(
    'none of these formats',
  );
  const preview = await importing.preview({ 'a.csv': 'Date,Event name,Views\n20260101,scroll,10\n' });
  expect(preview.rejectedRows).toEqual([
    { file: 'a.csv', line: 2, reason: 'event name: Not a known dimension' },
  ]);
});
