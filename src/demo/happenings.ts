import { createChoice } from './picker.ts';
import type { Random } from './random.ts';

/** Events on a page other than pageviews, with properties as the tracker and a shop's own code send them. */

export type Happening = {
  eventType: 'click' | 'custom';
  properties: Properties;
};

/** Properties; `revenue` is the only one that is not a single value. */
export type Properties = Record<string, string | number | Revenue>;
type Revenue = { amount: string; currency: string };

type Kind = { weight: number; make: (random: Random) => Happening };

const PLANS = ['free', 'free', 'free', 'free', 'pro', 'pro', 'team'];
const FILES = ['getting-started.pdf', 'brochure.pdf', 'press-kit.zip', 'report-2025.pdf', 'cli-linux.tar.gz'];
const SEARCHES = ['export', 'api key', 'gdpr', 'price', 'retention', 'docker', 'referrer', 'import'];
const OUTBOUND = [
  { href: 'https://github.com/example/example', text: 'Source on GitHub' },
  { href: 'https://mastodon.social/@example', text: 'Mastodon' },
  { href: 'https://status.example.org/', text: 'Status' },
  { href: 'https://www.npmjs.com/package/example', text: 'npm' },
];

const KINDS: readonly Kind[] = [
  { weight: 34, make: clickOutbound },
  { weight: 4, make: clickMail },
  { weight: 12, make: download },
  { weight: 18, make: signup },
  { weight: 12, make: purchase },
  { weight: 20, make: search },
];

const chooseKind = createChoice(KINDS);
const chooseOther = createChoice(KINDS.filter(({ make }) => make !== signup && make !== purchase));

/** @param hasSales false: no signup and no purchase, which follow from nothing here */
export function makeHappening(random: Random, hasSales: boolean): Happening {
  return (hasSales ? chooseKind : chooseOther)(random.next()).make(random);
}

/** A link to another page of the website. */
export function clickInternal(href: string): Happening {
  return { eventType: 'click', properties: { href, text: 'Read more', type: 'internal' } };
}

function clickOutbound(random: Random): Happening {
  const { href, text } = oneOf(OUTBOUND, random);
  return { eventType: 'click', properties: { href, text, type: 'outbound' } };
}

function clickMail(): Happening {
  return {
    eventType: 'click',
    properties: { href: 'mailto:hello@example.com', text: 'Write to us', type: 'mailto' },
  };
}

function download(random: Random): Happening {
  return { eventType: 'custom', properties: { name: 'download', file: oneOf(FILES, random) } };
}

function signup(random: Random): Happening {
  const plan = oneOf(PLANS, random);
  const properties = { name: 'signup', plan };
  return {
    eventType: 'custom',
    properties: plan === 'team' ? { ...properties, seats: 2 + random.below(40) } : properties,
  };
}

/** The order number is never used again: the kind of property that must not bloat a dictionary. */
function purchase(random: Random): Happening {
  const order = `PM-${random.word().toString(36).toUpperCase()}${random.below(36).toString(36).toUpperCase()}`;
  const amount = random.around(39, 0.8).toFixed(2);
  const revenue = { amount, currency: random.chance(0.7) ? 'EUR' : 'USD' };
  return { eventType: 'custom', properties: { name: 'purchase', order, revenue } };
}

function search(random: Random): Happening {
  return {
    eventType: 'custom',
    properties: { name: 'search', query: oneOf(SEARCHES, random), results: random.below(30) },
  };
}

function oneOf<Entry>(entries: readonly Entry[], random: Random): Entry {
  // The index is below the length.
  return entries[random.below(entries.length)] as Entry;
}
