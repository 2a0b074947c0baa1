import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, refused, startMetrics } from './support.ts';

/** Ann: / → / → /pricing → signup → /welcome. Bob: / → /pricing, a click, out. Cid: /blog → /. Dan: /blog alone. */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const visit = (visitor: string, ...stops: string[]) =>
    stops.map((stop, minute) => ({
      at: `2026-11-10T10:0${minute}:00Z`,
      visitor,
      ...(stop.startsWith('/') ? { page: stop } : {}),
      ...(stop === 'click' && { type: 'click' as const }),
      ...(stop === 'signup' && { type: 'custom' as const, properties: { name: stop } }),
    }));
  await service.track([
    ...visit('ann', '/', '/', '/pricing', 'signup', '/welcome'),
    ...visit('bob', '/', '/pricing', 'click'),
    ...visit('cid', '/blog', '/'),
    ...visit('dan', '/blog'),
  ]);
});
afterAll(() => service.close());

const DAY = 'from=2026-11-10&to=2026-11-10';
const anchored = (condition: unknown) => `anchor=${encodeURIComponent(JSON.stringify(condition))}`;

/** Step, value, visits and how many ended, indented as the tree is. */
async function treeOf(query: string): Promise<unknown[]> {
  const { visits, ended, branches } = await service.get(`/stats/journeys?${DAY}&${query}`);
  const rows = branches as { step: number; value: string; visits: number; ended: number | null }[];
  return [[visits, ended], ...rows.map((row) => [row.step, row.value, row.visits, row.ended])];
}

describe('GET /stats/journeys', () => {
  test('begins with visits', async () => {
    expect(await treeOf('')).toEqual([
      [4, 0],
      [1, '/', 2, 0],
      [2, '/pricing', 2, 1],
      [3, 'signup', 1, 0],
      [4, '/welcome', 1, 1],
      [1, '/blog', 2, 1],
      [2, '/', 1, 1],
    ]);
  });

  test('begins with a page, which is not a step when it is loaded again', async () => {
    expect(await treeOf(anchored(['is', 'page', ['/']]))).toEqual([
      [3, 1],
      [1, '/pricing', 2, 1],
      [2, 'signup', 1, 0],
      [3, '/welcome', 1, 1],
    ]);
  });

  test('ends with an event, or with visits', async () => {
    expect(await treeOf(`direction=to&${anchored(['is', 'event', ['signup']])}`)).toEqual([
      [1, 0],
      [1, '/pricing', 1, 0],
      [2, '/', 1, 1],
    ]);
    expect((await treeOf('direction=to')).slice(0, 3)).toEqual([
      [4, 0],
      [1, '/', 1, 0],
      [2, '/blog', 1, 1],
    ]);
  });

  test('has the steps that a filter selects', async () => {
    const filters = encodeURIComponent(
      JSON.stringify([
        ['is', 'eventType', ['pageview']],
        ['is_not', 'page', ['/blog']],
      ]),
    );
    expect(await treeOf(`filters=${filters}`)).toEqual([
      [3, 0],
      [1, '/', 3, 1],
      [2, '/pricing', 2, 1],
      [3, '/welcome', 1, 1],
    ]);
  });

  test('is whole, and a file as well', async () => {
    const query = `/stats/journeys?${DAY}&${anchored(['is', 'page', ['/pricing']])}`;
    expect(await service.get(query)).toEqual({
      range: { from: '2026-11-10T00:00:00.000Z', to: '2026-11-11T00:00:00.000Z', timezone: 'UTC' },
      direction: 'from',
      visits: 2,
      ended: 1,
      branches: [
        { step: 1, parent: null, stop: 'event', value: 'signup', visits: 1, rate: 0.5, ended: 0 },
        { step: 2, parent: 0, stop: 'page', value: '/welcome', visits: 1, rate: 0.5, ended: 1 },
      ],
    });
    expect((await service.ask(`${query}&format=csv`)).text.trimEnd().split('\r\n')).toEqual([
      'step,path,stop,value,visits,rate,ended',
      '1,signup,event,signup,1,0.5,0',
      '2,signup > /welcome,page,/welcome,1,0.5,1',
    ]);
  });

  test('of nothing is empty', async () => {
    expect(await treeOf(anchored(['is', 'page', ['/nowhere']]))).toEqual([[0, 0]]);
  });

  test.each<[string, Record<string, string[]>]>([
    ['direction=away', { direction: ['Must be one of: from, to'] }],
    [
      'anchor=/pricing',
      { anchor: ['Is not readable JSON. Must be a list of filters such as [["is","country",["DE","FR"]]]'] },
    ],
    [
      `anchor=${encodeURIComponent('["is","goal",["No"]]')}`,
      { anchor: ['[2]: Unknown goal "No": it may have been deleted'] },
    ],
  ])('refuses %s', async (query, faults) => {
    const { status, body } = await service.ask(`/stats/journeys?${query}`);
    expect({ status, body }).toEqual(refused(faults));
  });
});
