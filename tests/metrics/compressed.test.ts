import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { type MetricsService, startMetrics } from './support.ts';

/** Reports travel compressed to those who take it. */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.track([{ at: '2026-11-20T09:00:00Z', visitor: 'a', page: '/' }]);
});
afterAll(() => service.close());

const LONG = '/stats/timeseries?period=24h&interval=hour';

function fetchReport(path: string, accepted: string) {
  return service.app.handle(
    new Request(`http://localhost${service.base}${path}`, {
      headers: { Authorization: `Bearer ${service.ada.token}`, 'Accept-Encoding': accepted },
    }),
  );
}

test('a long report is compressed, says so, and says the same', async () => {
  const response = await fetchReport(LONG, 'gzip, deflate, br');
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  expect(response.headers.get('content-type')).toStartWith('application/json');
  expect(response.headers.get('vary')).toContain('Accept-Encoding');
  const text = gunzipSync(await response.bytes()).toString();
  const plain = await (await fetchReport(LONG, 'identity')).text();
  expect(JSON.parse(text)).toEqual(JSON.parse(plain));
});

test.each([
  [LONG, ''],
  [LONG, 'identity'],
  [LONG, 'gzip;q=0'],
  [LONG, 'br'],
  [`${LONG}&format=csv`, 'gzip'],
  ['/stats/breakdown?dimension=browser', 'gzip'], // short
])('%s to one who takes "%s" is not', async (path, accepted) => {
  const response = await fetchReport(path, accepted);
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null]);
  expect((await response.text()).length).toBeGreaterThan(10);
});
