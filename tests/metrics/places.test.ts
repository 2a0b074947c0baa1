import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlaceLookup } from '../../src/places/place-lookup.ts';
import { buildDatabase } from '../places/build-database.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'places-'));
const path = join(folder, 'places.mmdb');

const MUNICH = {
  city: { geoname_id: 2867714, names: { en: 'Munich' } },
  country: { iso_code: 'DE' },
  subdivisions: [{ iso_code: 'BY' }],
};
const CAMBRIDGE = {
  city: { geoname_id: 2653941, names: { en: 'Cambridge' } },
  country: { iso_code: 'GB' },
  subdivisions: [{ iso_code: 'ENG' }],
};
const OTHER_CAMBRIDGE = { city: 'Cambridge', country_code: 'US', state1: 'Massachusetts' };
const KOWLOON = { city: 'Kowloon', country_code: 'HK', state1: 'Kowloon City' };

let service: TestService;
let token: string;
let website: { id: string; trackingCode: string };
let visitors = 0;

beforeAll(async () => {
  writeFileSync(
    path,
    buildDatabase({
      '8.0.0.0/8': MUNICH,
      '9.0.0.0/8': CAMBRIDGE,
      '11.0.0.0/8': OTHER_CAMBRIDGE,
      '12.0.0.0/8': KOWLOON,
      '13.0.0.0/8': { country_code: 'NZ' },
    }),
  );
  const onFailure = (error: unknown) => {
    throw error;
  };
  const places = await openPlaceLookup({ paths: [path], folder, onFailure });
  service = await createTestService({ trustedProxies: 1 }, { places });
  token = (await service.signUp()).token;
  website = await service.addWebsite(token);
  for (const address of ['8.1.1.1', '8.8.8.8', '9.1.1.1', '11.1.1.1', '12.1.1.1', '13.1.1.1', '10.0.0.1'])
    await send(address);
  await send('8.1.1.1', { location: 'FR' });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function send(address: string, fields: Record<string, unknown> = {}): Promise<string> {
  visitors += 1;
  const event = eventFor(website.trackingCode, {
    visitorId: `v${visitors}`,
    sessionId: `s${visitors}`,
    ...fields,
  });
  const answer = await service.send('POST', '/api/v1/events', {
    body: event,
    headers: { 'X-Forwarded-For': address },
  });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

async function breakdown(dimension: string, filter?: unknown[]): Promise<string[]> {
  const filters = filter ? `&filters=${encodeURIComponent(JSON.stringify([filter]))}` : '';
  const url = `/api/v1/websites/${website.id}/stats/breakdown?dimension=${dimension}${filters}`;
  const { body } = await service.send('GET', url, { token });
  return body.rows
    .map(({ value, visitors: count }: { value: string; visitors: number }) => `${value} ${count}`)
    .toSorted();
}

async function query(dimensions: string[], filters: unknown[] = []): Promise<unknown[][]> {
  const { body } = await service.send('POST', `/api/v1/websites/${website.id}/query`, {
    token,
    body: { metrics: ['visitors'], date_range: 'all', dimensions, filters },
  });
  return body.results.map((row: { dimensions: unknown[]; metrics: number[] }) => [
    ...row.dimensions,
    ...row.metrics,
  ]);
}

const MUNICH_2 = 'Munich, DE-BY, 2867714 2';

describe('the place of an address', () => {
  test.each([
    ['country', ['DE 2', 'FR 1', 'GB 1', 'HK 1', 'NZ 1', 'US 1']],
    ['region', ['DE-BY 2', 'GB-ENG 1', 'Kowloon City, HK 1', 'US-MA 1']],
    ['visit:region', ['DE-BY 2', 'GB-ENG 1', 'Kowloon City, HK 1', 'US-MA 1']],
    ['city', ['Cambridge, GB-ENG, 2653941 1', 'Cambridge, US-MA 1', 'Kowloon, HK 1', MUNICH_2]],
  ])('is the dimension %s', async (dimension, rows) => {
    expect(await breakdown(dimension)).toEqual(rows);
  });

  test('is a filter', async () => {
    expect(await breakdown('city', ['is', 'region', ['DE-BY']])).toEqual([MUNICH_2]);
    expect(await breakdown('country', ['starts_with', 'city', ['Cambridge,']])).toEqual(['GB 1', 'US 1']);
    expect(await breakdown('country', ['ends_with', 'city', [', 2867714']])).toEqual(['DE 2']);
  });

  test('is found, and its table has each place once', async () => {
    const id = await send('8.1.1.1');
    const { body } = await service.send('GET', `/api/v1/events/${id}`, { token });
    expect(body).toMatchObject({ location: 'DE' });
    expect(JSON.stringify(body)).not.toContain('8.1.1.1');
  });
});

describe("in Plausible's form", () => {
  test.each<[string, unknown[][]]>([
    [
      'visit:region',
      [
        ['DE-BY', 3],
        ['(not set)', 3],
        ['GB-ENG', 1],
        ['Kowloon City, HK', 1],
        ['US-MA', 1],
      ],
    ],
    [
      'visit:region_name',
      [
        ['Bavaria', 3],
        ['(not set)', 3],
        ['England', 1],
        ['Kowloon City', 1],
        ['Massachusetts', 1],
      ],
    ],
    [
      'visit:city',
      [
        ['2867714', 3],
        ['(not set)', 3],
        ['2653941', 1],
        ['Cambridge, US-MA', 1],
        ['Kowloon, HK', 1],
      ],
    ],
    [
      'visit:city_name',
      [
        ['Munich', 3],
        ['(not set)', 3],
        ['Cambridge', 1],
        ['Cambridge', 1],
        ['Kowloon', 1],
      ],
    ],
  ])('%s has its texts', async (dimension, rows) => {
    expect((await query([dimension])).toSorted()).toEqual(rows.toSorted());
  });

  test.each<[unknown[], number]>([
    [['is', 'visit:region', ['DE-BY']], 3],
    [['is', 'visit:region_name', ['Bavaria', 'Kowloon City']], 4],
    [['is', 'visit:region_name', ['bavaria']], 0],
    [['is', 'visit:region_name', ['bavaria'], { case_sensitive: false }], 3],
    [['contains', 'visit:region_name', ['CHUS']], 1],
    [['contains', 'visit:region_name', ['loon']], 1],
    [['is_not', 'visit:region_name', ['Bavaria']], 6],
    [['is', 'visit:city', [2867714]], 3],
    [['is', 'visit:city', [2867714, 2653941]], 4],
    [['is_not', 'visit:city', [2867714]], 6],
    [['is', 'visit:city', [867714]], 0],
    [['is', 'visit:city', ['(not set)']], 3],
    [['is', 'visit:city', ['Cambridge, US-MA']], 1],
    [['is', 'visit:city_name', ['Cambridge']], 2],
    [['is', 'visit:city_name', ['Cambridge', '(not set)']], 5],
    [['is', 'visit:city_name', ['Camb']], 0],
    [['starts_with', 'visit:city_name', ['camb']], 2],
    [['ends_with', 'visit:city_name', ['idge']], 2],
    [['contains', 'visit:city_name', ['DE-BY']], 0],
    [['contains', 'visit:city_name', ['.']], 0],
    [['contains', 'visit:city_name', ['ni']], 3],
    [['contains', 'visit:city_name', ['['.repeat(2_000)]], 0],
    [['contains', 'visit:city_name', ['['.repeat(100), 'Mun']], 3],
    [['matches', 'visit:city_name', ['^Mun']], 3],
  ])('%j selects %i visitors', async (filter, count) => {
    expect(await query([], [filter])).toEqual([[count]]);
  });
});
