import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { toCsvLine } from '../../src/metrics/files/format.ts';
import { type MetricsService, startMetrics } from './support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.track([
    { at: '2026-11-20T09:00:00Z', visitor: 'a', page: '/', country: 'DE' },
    { at: '2026-11-20T09:01:00Z', visitor: 'a', page: '/a,b', country: 'DE' },
    {
      at: '2026-11-20T09:02:00Z',
      visitor: 'b',
      type: 'custom',
      properties: { name: '=HYPERLINK("http://evil.example")', text: 'a "b"\nc' },
    },
  ]);
});
afterAll(() => service.close());

describe('a cell of CSV', () => {
  test.each<[unknown, string]>([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [-1.5, '-1.5'],
    [true, 'true'],
    [{ a: 1 }, '"{""a"":1}"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['\nx', '"\'\nx"'],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['=1,2', '"\'=1,2"'],
    ['a=1', 'a=1'],
    ['ü €', 'ü €'],
  ])('%p is written %p', (value, cell) => {
    expect(toCsvLine([value])).toBe(`${cell}\r\n`);
  });
});

describe('format=csv', () => {
  test('has a header, CRLF, and says that it is a file', async () => {
    const { body, headers } = await service.ask('/stats/breakdown?dimension=page&format=csv');
    expect(body).toBe(
      [
        'value,visitors,visits,pageviews,events,viewsPerVisit,bounceRate,visitDuration,share\r\n',
        '/,2,2,1,2,0.5,0,30,1\r\n',
        '"/a,b",1,1,1,1,1,0,60,0.5\r\n',
      ].join(''),
    );
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="example.com-page-2026-10-22-2026-11-20.csv"',
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('neutralises what a spreadsheet would calculate', async () => {
    const { body } = await service.ask('/stats/events?format=csv');
    expect(body).toBe(`name,events,visitors\r\n"'=HYPERLINK(""http://evil.example"")",1,1\r\n`);
  });

  test('a dimension’s name cannot write into the header', async () => {
    const path = `/stats/breakdown?dimension=${encodeURIComponent('property:a"\r\nX: y/../é')}&format=csv`;
    const { status, headers } = await service.ask(path);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="example.com-property-a-X-y-..--2026-10-22-2026-11-20.csv"',
    );
  });

  test('adds the earlier range and the change as rows', async () => {
    const { body } = await service.ask('/stats?period=today&compare=previous&format=csv');
    expect(body).toBe(
      [
        'of,from,to,timezone,visitors,visits,pageviews,events,viewsPerVisit,bounceRate,visitDuration\r\n',
        'range,2026-11-20T00:00:00.000Z,2026-11-21T00:00:00.000Z,UTC,2,2,2,3,1,0,30\r\n',
        'comparison,2026-11-19T00:00:00.000Z,2026-11-19T12:00:00.000Z,UTC,0,0,0,0,0,0,0\r\n',
        'change,2026-11-20T00:00:00.000Z,2026-11-20T12:00:00.000Z,UTC,,,,,,,\r\n',
      ].join(''),
    );
  });

  test('of a list has every row, unless a limit is given', async () => {
    const ROWS = 5_101; // more than a page of a file
    const events = Array.from({ length: ROWS }, (_, index) => ({
      at: '2026-08-01T09:00:00Z',
      visitor: `v${index}`,
      page: `/${index}`,
      properties: { revenue: { amount: '1.00', currency: index === ROWS - 1 ? 'USD' : 'EUR' } },
    }));
    for (let from = 0; from < ROWS; from += 1_000) await service.track(events.slice(from, from + 1_000));
    const day = 'from=2026-08-01&to=2026-08-01&format=csv';
    for (const path of [
      '/visitors?',
      '/sessions?',
      '/pages?',
      '/stats/breakdown?dimension=page&revenue=true&',
    ]) {
      const [header = [], ...lines] = parseCsv(String((await service.ask(path + day)).body));
      const own = lines.map((cells) => cells[0]);
      expect(new Set(own).size).toBe(ROWS);
      expect(own).toHaveLength(ROWS);
      if (path.includes('revenue')) expect(header.slice(-6)).toContain('revenue.USD.total');
    }
  });

  test('of a list takes a limit', async () => {
    await service.track(
      Array.from({ length: 130 }, (_, index) => ({ at: '2026-09-01T09:00:00Z', visitor: `v${index}` })),
    );
    const rows = async (query: string) => {
      const { body } = await service.ask(`/visitors?from=2026-09-01&to=2026-09-01${query}`);
      return typeof body === 'string' ? parseCsv(body).length - 1 : body.visitors.length;
    };
    expect(await rows('')).toBe(100);
    expect(await rows('&format=csv')).toBe(130);
    expect(await rows('&format=csv&limit=100&offset=100')).toBe(30);
  });
});

describe('format=ndjson', () => {
  test('is one object a line', async () => {
    const { body, headers } = await service.ask('/stats/values?dimension=page&format=ndjson');
    expect(body).toBe('{"value":"/","events":2}\n{"value":"/a,b","events":1}\n');
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="example.com-page-2026-10-22-2026-11-20.ndjson"',
    );
  });
});

describe.each([
  '/stats?',
  '/stats/timeseries?',
  '/stats/breakdown?dimension=page&',
  '/stats/breakdown?dimension=page&compare=year&',
  '/stats/values?dimension=page&',
  '/stats/dimensions?',
  '/stats/dashboard?compare=previous&',
  '/stats/realtime?',
  '/stats/events?',
  '/stats/properties?',
  '/stats/properties/text?',
  '/pages?',
  '/pages/detail?page=/&',
  '/sessions?',
  '/visits?',
  '/sessions/tab-a?',
  '/visitors?',
  '/visitors/a?',
  '/visitors/a/export?',
])('GET …%s', (path) => {
  test('answers csv whose rows all have the columns of the header', async () => {
    const { status, body } = await service.ask(`${path}format=csv`);
    expect(status).toBe(200);
    const [header = [], ...rows] = parseCsv(String(body));
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([header.length]));
  });

  test('answers ndjson whose lines are the rows of csv', async () => {
    const { status, body } = await service.ask(`${path}format=ndjson`);
    expect(status).toBe(200);
    const lines = String(body).trimEnd().split('\n');
    for (const line of lines) expect(typeof JSON.parse(line)).toBe('object');
    const csv = await service.ask(`${path}format=csv`);
    expect(lines).toHaveLength(parseCsv(String(csv.body)).length - 1);
  });
});

test('the websites of an account are a file too', async () => {
  const { body } = await service.send('GET', '/api/v1/stats/websites?format=csv', {
    token: service.ada.token,
  });
  expect(body).toBe(
    `websiteId,name,domain,visitors,visits,pageviews\r\n${service.website.id},Example,https://example.com,2,2,2\r\n`,
  );
});

/** RFC 4180, character by character. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === ',') {
      row.push(cell);
      cell = '';
    } else if (char === '\r' && text[index + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      index += 1;
    } else cell += char;
  }
  return rows;
}
