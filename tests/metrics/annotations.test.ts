import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics } from './support.ts';

/** It is noon of 20 November in UTC, 13:00 in Berlin. */

let service: MetricsService;

beforeAll(async () => {
  service = await startMetrics();
  const add = (body: object) =>
    service.send('POST', `${service.base}/annotations`, { token: service.ada.token, body });
  await add({ at: '2026-11-20', text: 'Sale', isPublic: true });
  await add({ at: '2026-11-20T09:30:00Z', text: 'deploy 1.4' });
  await add({ at: '2026-11-19T23:30:00Z', text: 'late' });
  await add({ at: '2026-11-13', text: 'a week ago' });
});
afterAll(() => service.close());

type Marks = { annotations?: { text: string; time: string; local: string }[] };
async function textsOf(path: string): Promise<string[] | undefined> {
  // as the contract has it
  return ((await service.get(path)) as Marks).annotations?.map(({ text }) => text);
}

describe.each(['/stats/timeseries', '/stats/dashboard'])('%s', (path) => {
  test('answers the annotations of its range when it is asked to', async () => {
    expect(await textsOf(`${path}?period=today`)).toBeUndefined();
    expect(await textsOf(`${path}?period=today&annotations=true`)).toEqual(['Sale', 'deploy 1.4']);
    expect(await textsOf(`${path}?period=7d&annotations=true`)).toEqual(['late', 'Sale', 'deploy 1.4']);
    expect(await textsOf(`${path}?period=yesterday&annotations=true`)).toEqual(['late']);
    expect(await textsOf(`${path}?from=2026-01-01&to=2026-02-01&annotations=true`)).toEqual([]);
  });

  test('days and instants are those of its time zone', async () => {
    const { annotations } = (await service.get(
      `${path}?period=today&timezone=Europe/Berlin&annotations=true`,
    )) as Marks; // as the contract has it
    expect(annotations).toEqual([
      expect.objectContaining({
        time: '2026-11-19T23:00:00.000Z',
        local: '2026-11-20T00:00:00+01:00',
        isDay: true,
        text: 'Sale',
        isPublic: true,
      }),
      expect.objectContaining({ time: '2026-11-19T23:30:00.000Z', isDay: false, text: 'late' }),
      expect.objectContaining({ local: '2026-11-20T10:30:00+01:00', text: 'deploy 1.4' }),
    ]);
    expect(await textsOf(`${path}?period=today&timezone=Pacific/Auckland&annotations=true`)).toEqual([]);
  });

  test('a day counts for every range that touches it, an instant at the first one, not at the last', async () => {
    const from = '2026-11-20T09:30:00Z';
    expect(await textsOf(`${path}?from=${from}&to=2026-11-20T10:00:00Z&annotations=true`)).toEqual([
      'Sale',
      'deploy 1.4',
    ]);
    expect(await textsOf(`${path}?from=2026-11-20T09:00:00Z&to=${from}&annotations=true`)).toEqual(['Sale']);
  });

  test('tells the public what is marked as public, and nothing else', async () => {
    await service.changeSettings({ isPublic: true });
    const { body } = await service.send('GET', `${service.base}${path}?period=7d&annotations=true`);
    expect(body.annotations.map(({ text }: { text: string }) => text)).toEqual(['Sale']);
    await service.changeSettings({ isPublic: false });
  });
});

test('files have no annotations', async () => {
  const { status, text } = await service.ask('/stats/timeseries?period=today&annotations=true&format=csv');
  expect(status).toBe(200);
  expect(text).not.toContain('deploy');
});
