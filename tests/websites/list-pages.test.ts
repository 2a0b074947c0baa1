import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, refused, startMetrics } from '../metrics/support.ts';

/** Three of each: lists are answered whole, or in pages. */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  for (const name of ['a', 'b', 'c']) {
    await add('/segments', { name, filters: [['is', 'country', ['DE']]] });
    await add('/goals', { name, type: 'page', match: `/${name}` });
    const step = ['is', 'page', ['/']];
    await add('/funnels', { name, steps: [step, step] });
    await add('/annotations', { at: `2026-11-1${name === 'a' ? 0 : name === 'b' ? 1 : 2}`, text: name });
  }
  for (const domain of ['https://b.example', 'https://c.example'])
    await service.addWebsite(service.ada.token, domain);
});
afterAll(() => service.close());

async function add(path: string, body: unknown): Promise<void> {
  const { status } = await service.send('POST', service.base + path, { token: service.ada.token, body });
  if (status !== 201) throw new Error(`${path} was answered with ${status}.`);
}

const LISTS = ['websites', 'segments', 'goals', 'funnels', 'annotations'];
const pathOf = (list: string) => (list === 'websites' ? '/api/v1/websites' : `${service.base}/${list}`);
const get = (path: string) => service.send('GET', path, { token: service.ada.token });

describe.each(LISTS)('the list of %s', (list) => {
  const ask = async (query: string) => (await get(`${pathOf(list)}?${query}`)).body;

  test('is whole without a limit', async () => {
    const { [list]: rows, total } = await ask('');
    expect([rows.length, total]).toEqual([3, 3]);
  });

  test.each([
    ['limit=2', [0, 2]],
    ['limit=2&offset=2', [2, 3]],
    ['offset=1', [1, 3]],
    ['limit=3', [0, 3]],
    ['limit=5&offset=7', [3, 3]],
    ['limit=99999', [0, 3]],
  ])('is answered in pages, with the total of all: %s', async (query, [from, to]) => {
    const { [list]: all } = await ask('');
    expect(await ask(query)).toEqual({ [list]: all.slice(from, to), total: 3 });
  });

  test.each(['0', '-1', 'x', '1.5'])('refuses a limit of %s', async (limit) => {
    expect(await get(`${pathOf(list)}?limit=${limit}`)).toMatchObject(
      refused({ limit: ['Must be a whole number from 1'] }),
    );
  });

  test('lets other requests pass when it is asked for several times at once', async () => {
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const answeredIn: number[] = [];
    await Promise.all(Array.from({ length: 4 }, () => get(pathOf(list)).then(() => answeredIn.push(turns))));
    clearImmediate(next);
    expect(new Set(answeredIn).size).toBe(4);
  });
});
