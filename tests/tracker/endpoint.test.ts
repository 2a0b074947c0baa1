import { describe, expect, test } from 'bun:test';
import { endpoint } from '../../tracker/endpoint.ts';

const PAGE = 'https://site.example/shop/cart?x=1';
const SCRIPT = 'https://stats.example/tracker.js';

type Case = { name: string; apiUrl?: string; script?: string; single: string; batch: string };

const cases: Case[] = [
  {
    name: 'appends /batch to the path of the address',
    apiUrl: 'https://stats.example/api/v1/events',
    single: 'https://stats.example/api/v1/events',
    batch: 'https://stats.example/api/v1/events/batch',
  },
  {
    name: 'does not double a slash at the end',
    apiUrl: 'https://stats.example/e/',
    single: 'https://stats.example/e/',
    batch: 'https://stats.example/e/batch',
  },
  {
    name: 'keeps the query behind the path',
    apiUrl: 'https://stats.example/e?k=1&l=/x/',
    single: 'https://stats.example/e?k=1&l=/x/',
    batch: 'https://stats.example/e/batch?k=1&l=/x/',
  },
  {
    name: 'takes /batch off an address that ends with it',
    apiUrl: 'https://stats.example/api/v1/events/batch',
    single: 'https://stats.example/api/v1/events',
    batch: 'https://stats.example/api/v1/events/batch',
  },
  {
    name: 'does not mistake a path that only ends like it',
    apiUrl: 'https://stats.example/minibatch',
    single: 'https://stats.example/minibatch',
    batch: 'https://stats.example/minibatch/batch',
  },
  {
    name: 'resolves a relative address against the page',
    apiUrl: 'collect',
    single: 'https://site.example/shop/collect',
    batch: 'https://site.example/shop/collect/batch',
  },
  {
    name: 'resolves an absolute path against the page',
    apiUrl: '/collect',
    single: 'https://site.example/collect',
    batch: 'https://site.example/collect/batch',
  },
  {
    name: 'works at the root of a host',
    apiUrl: 'https://stats.example',
    single: 'https://stats.example/',
    batch: 'https://stats.example/batch',
  },
  {
    name: 'takes the service that served the script without an address',
    single: 'https://stats.example/api/v1/events',
    batch: 'https://stats.example/api/v1/events/batch',
  },
  {
    name: 'keeps the folder and drops the parameters of the script without an address',
    script: 'https://site.example/stats/t.js?code=pm-a&api=x/y',
    single: 'https://site.example/stats/api/v1/events',
    batch: 'https://site.example/stats/api/v1/events/batch',
  },
  {
    name: 'drops the name and password that a page was opened with, which fetch refuses',
    script: 'https://ada:secret@site.example/m.js',
    single: 'https://site.example/api/v1/events',
    batch: 'https://site.example/api/v1/events/batch',
  },
  {
    name: 'leaves other places of the address as they are',
    apiUrl: 'https://stats.example/@ada?to=a@b.example',
    single: 'https://stats.example/@ada?to=a@b.example',
    batch: 'https://stats.example/@ada/batch?to=a@b.example',
  },
];

Object.assign(globalThis, { COLLECT_PATH: 'api/v1/events' }); // as the service writes it into the script

describe('the address that events are posted to', () => {
  test.each(cases)('$name', ({ apiUrl = '', script = SCRIPT, single, batch }) => {
    expect({
      single: endpoint(apiUrl, script, PAGE),
      batch: endpoint(apiUrl, script, PAGE, true),
    }).toEqual({ single, batch });
  });

  test('throws when it is none', () => {
    expect(() => endpoint('http://[', SCRIPT, PAGE)).toThrow();
  });
});
