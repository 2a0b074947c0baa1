import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FiltersEngine, Request } from '@ghostery/adblocker';
import { API_PREFIX } from '../../src/vocabulary/contract.ts';

/** Requests that ad blockers stop, by the engine of one and the rules of EasyPrivacy for names such as ours. */

const engine = FiltersEngine.parse(readFileSync(join(import.meta.dir, 'blocking-rules.txt'), 'utf8'));

const HOSTS =
  `stats analytics tracking track tracker metrics pagemeter meter www data events insights count counter visits t a p
  app api cdn status log collector`.split(/\s+/);
const ID = '0197f0d0-0000-7000-8000-000000000000';

type Kind = 'script' | 'xhr' | 'ping' | 'stylesheet' | 'image';

/** The hosts on which a page of a website may not load or send this. */
function blockedHosts(path: string, type: Kind, page?: string): string[] {
  return HOSTS.filter((host) => {
    const origin = `https://${host}.example.com`;
    const sourceUrl = page ?? `${origin}/`;
    return engine.match(Request.fromRawDetails({ url: origin + path, type, sourceUrl })).match;
  });
}

const OPEN: [path: string, type: Kind][] = [
  ['/m.js', 'script'],
  ['/m.js?code=pm-abcdefgh-1795243847833', 'script'],
  ['/m', 'xhr'],
  ['/m', 'ping'],
  ['/m/batch', 'xhr'],
  ['/m/batch', 'ping'],
  ['/stats/s.js', 'script'], // of the recipe for a domain of one's own
  ['/stats/e', 'xhr'],
  ['/stats/e/batch', 'xhr'],
];

describe('on 24 usual host names, from another website and from the host itself', () => {
  test.each(OPEN)('%s is stopped on none (%s)', (path, type) => {
    expect(blockedHosts(path, type, 'https://shop.test/')).toEqual([]);
    expect(blockedHosts(path, type)).toEqual([]);
  });

  test('the addresses of the contract are stopped on some', () => {
    const page = 'https://shop.test/';
    expect(blockedHosts('/tracker.js', 'script', page)).toEqual(['stats', 'analytics']);
    expect(blockedHosts('/api/v1/events/batch', 'xhr', page)).toEqual([
      'stats',
      'analytics',
      'tracking',
      'collector',
    ]);
  });
});

/** API paths in the sources of the dashboard, with an id in each gap. */
function dashboardPaths(): string[] {
  const root = join(import.meta.dir, '../../src/dashboard');
  const paths = new Set<string>();
  for (const file of new Bun.Glob('**/*.{ts,tsx}').scanSync(root)) {
    const source = readFileSync(join(root, file), 'utf8');
    for (const [, text = ''] of source.matchAll(
      /['`](\/(?:auth|websites|stats|latest|events|demo|sessions|visitors|pages|erasures|public)\b[^'`\s]*)['`]/g,
    ))
      paths.add(text.replace(/\$\{[^}]*\}+|:\w+/g, ID));
  }
  return [...paths];
}

test('the block lists stop no request of the dashboard', () => {
  const asked = dashboardPaths();
  expect(asked.length).toBeGreaterThan(25);
  const full = asked.flatMap((path) => [API_PREFIX + path, `${API_PREFIX}/websites/${ID}${path}`]);
  const all: [string, Kind][] = [
    ...full.map((path): [string, Kind] => [path, 'xhr']),
    ['/assets/dashboard-d0qs8g2g.js', 'script'],
    ['/assets/chunk-d0qs8g2g.js', 'script'],
    ['/assets/dashboard-jvrt9w59.css', 'stylesheet'],
    ['/favicon.svg', 'image'],
  ];
  expect(all.filter(([path, type]) => blockedHosts(path, type).length > 0)).toEqual([]);
});
