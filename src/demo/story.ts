import { DAY_MS, HOUR_MS, MINUTE_MS } from '../vocabulary/durations.ts';
import { createPicker } from './picker.ts';
import { createRandom, mix, type Random } from './random.ts';
import type { TrafficEvent } from './traffic-event.ts';
import { toUuidV4, toUuidV7 } from './uuid.ts';
import { createVisitors, type Visitor } from './visitors.ts';
import { COUNTRIES } from './world.ts';

/**
 * Events of the demo website besides its everyday traffic, so that every report has something to show: people read,
 * compare prices, sign up and buy; a campaign works; a form breaks for a day; a newsletter goes out every week; who signed
 * up comes back.
 */
export type Story = {
  /** In order of time. */
  events: TrafficEvent[];
  annotations: { atMs: number; text: string }[];
};
export type StoryOptions = { seed: number; domain: string; days: number; endMs: number };

const SHOPPERS_A_DAY = 42;
const CAMPAIGN_DAYS = 21;
const CAMPAIGN_A_DAY = 24;
const READERS_AN_ISSUE = 70;
const [TUESDAY, THURSDAY] = [2, 4];
const BROKEN_FROM_H = 7;
const BROKEN_TO_H = 18;
/** Chance that a member comes back in a week, and what it is multiplied by with each week. */
const RETURN_CHANCE = 0.6;
const RETURN_DECAY = 0.87;
/** No visit begins so close to the end, because it would be cut. */
const VISIT_MS_MAX = 30 * MINUTE_MS;

const POSTS = [
  '/blog/cookies-explained',
  '/blog/privacy-by-example',
  '/blog/sqlite-at-scale',
  '/blog/release-2',
];
const PRODUCTS = [
  { product: 'Starter', plan: 'free', price: 19 },
  { product: 'Team', plan: 'team', price: 79 },
  { product: 'Business', plan: 'pro', price: 199 },
] as const;
const SEARCH = 'https://www.google.com/';
const ISSUE_QUERY = 'utm_source=newsletter&utm_medium=email&utm_campaign=issue-';
const CAMPAIGN_QUERY = 'utm_source=google&utm_medium=cpc&utm_campaign=autumn-sale';

/** Chances of the steps towards a purchase, of those who took the step before. */
type Chances = { prices: number; form: number; signup: number; purchase: number };
const SHOPPER: Chances = { prices: 0.58, form: 0.42, signup: 0.6, purchase: 0.3 };
const FROM_CAMPAIGN: Chances = { prices: 0.78, form: 0.56, signup: 0.66, purchase: 0.45 };
const READER: Chances = { prices: 0.26, form: 0.4, signup: 0.66, purchase: 0.35 };
/** Part of those chances that phones have: forms are harder to fill in there. */
const ON_PHONES: Chances = { prices: 0.95, form: 0.85, signup: 0.7, purchase: 0.8 };

export function tellStory({ seed, domain, days, endMs }: StoryOptions): Story {
  const random = createRandom(mix(seed, 77));
  const visitors = createVisitors(mix(seed, 78), random);
  const pickCountry = createPicker(COUNTRIES.map(({ weight }) => weight));
  const startMs = endMs - days * DAY_MS;
  /** Midnight, UTC, of the first whole day. */
  const firstDayMs = Math.ceil(startMs / DAY_MS) * DAY_MS;
  const lastStartMs = endMs - VISIT_MS_MAX;
  const campaignMs = Math.floor((endMs - CAMPAIGN_DAYS * DAY_MS) / DAY_MS) * DAY_MS;
  const brokenMs = lastDayOf(TUESDAY, endMs - 2 * DAY_MS);
  const isBroken = (atMs: number) =>
    atMs >= brokenMs + BROKEN_FROM_H * HOUR_MS && atMs < brokenMs + BROKEN_TO_H * HOUR_MS;
  const events: TrafficEvent[] = [];
  const annotations = [
    { atMs: campaignMs, text: 'Campaign “autumn sale” begins' },
    { atMs: brokenMs + BROKEN_FROM_H * HOUR_MS, text: 'Signup form broken until the evening' },
  ];
  let issue = 0;

  for (let dayMs = firstDayMs; dayMs < endMs; dayMs += DAY_MS) {
    const weekday = new Date(dayMs).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    const busy = (isWeekend ? 0.65 : 1) * (0.8 + (0.4 * (dayMs - startMs)) / (days * DAY_MS));
    repeat(SHOPPERS_A_DAY * busy, () => {
      const entry = random.chance(0.55) ? '/' : random.chance(0.5) ? '/features' : oneOf(POSTS, random);
      shop(dayMs, entry, random.chance(0.6) ? { referrer: SEARCH } : {}, SHOPPER);
    });
    if (dayMs >= campaignMs)
      repeat(CAMPAIGN_A_DAY * busy, () =>
        shop(dayMs, '/sale', { query: CAMPAIGN_QUERY, referrer: SEARCH }, FROM_CAMPAIGN),
      );
    if (weekday !== THURSDAY) continue;
    issue += 1;
    const query = `${ISSUE_QUERY}${issue}`;
    const post = POSTS[issue % POSTS.length] ?? '/blog';
    annotations.push({ atMs: dayMs + 8 * HOUR_MS, text: `Newsletter, issue ${issue}` });
    repeat(READERS_AN_ISSUE * (0.8 + 0.4 * random.next()), () => {
      // Most read it within hours, the others until Sunday.
      const afterMs = 8 * HOUR_MS + Math.min(random.around(5 * HOUR_MS, 0.9), 3 * DAY_MS);
      shop(dayMs, post, { query }, READER, afterMs);
    });
  }
  return {
    events: events.sort((a, b) => a.createdAtMs - b.createdAtMs),
    annotations: annotations.filter(({ atMs }) => atMs >= startMs && atMs < endMs),
  };

  function repeat(count: number, act: () => void): void {
    for (let done = 0; done < Math.round(count); done += 1) act();
  }

  /** A visit towards a purchase, and the visits of a member after it. */
  function shop(
    dayMs: number,
    entry: string,
    origin: { query?: string; referrer?: string },
    chances: Chances,
    afterMs = Math.min(Math.max(random.around(13.5 * HOUR_MS, 0.35), HOUR_MS), DAY_MS - HOUR_MS),
  ): void {
    const beginMs = Math.floor(dayMs + afterMs);
    if (beginMs >= lastStartMs || beginMs < startMs) return;
    const visitor = visitors.pass(pickCountry(random.next()));
    const visit = begin(visitor, beginMs);
    const has = (step: keyof Chances) =>
      random.chance(chances[step] * (visitor.deviceType === 'desktop' ? 1 : ON_PHONES[step]));
    visit.view(entry, origin);
    if (!has('prices')) {
      if (random.chance(0.35)) visit.view(random.chance(0.5) ? '/features' : '/about');
      return;
    }
    if (entry === '/' && random.chance(0.5)) visit.view('/features');
    visit.view('/pricing');
    if (!has('form')) return;
    visit.view('/signup');
    if (isBroken(beginMs)) {
      visit.act({ name: 'error', message: 'The form could not be sent' });
      return;
    }
    if (!has('signup')) return;
    const { product, plan, price } = oneOf(PRODUCTS, random);
    visit.act({ name: 'signup', plan });
    if (has('purchase')) {
      visit.view('/checkout');
      visit.act({
        name: 'purchase',
        product,
        revenue: { amount: `${price}.00`, currency: random.chance(0.8) ? 'EUR' : 'USD' },
      });
    } else visit.view('/docs');
    comeBack(visitor, beginMs);
  }

  function comeBack(visitor: Visitor, joinedMs: number): void {
    let chance = RETURN_CHANCE;
    for (let atMs = joinedMs + 7 * DAY_MS; atMs < lastStartMs; atMs += 7 * DAY_MS) {
      chance *= RETURN_DECAY;
      const beginMs = Math.floor(atMs + (random.next() - 0.5) * 3 * DAY_MS);
      if (!random.chance(chance) || beginMs >= lastStartMs) continue;
      const visit = begin(visitor, beginMs);
      visit.view('/docs');
      if (random.chance(0.6)) visit.view('/docs/dashboard');
      if (random.chance(0.2)) visit.act({ name: 'download', file: 'report.pdf' });
    }
  }

  function begin(visitor: Visitor, beginMs: number) {
    const sessionId = toUuidV4(random.word(), random.word(), random.word(), random.word());
    let nowMs = beginMs;
    let url = '';
    let referrer: string | null = null;
    const add = (eventType: TrafficEvent['eventType'], properties: TrafficEvent['properties']) => {
      events.push({
        website: 0,
        id: toUuidV7(nowMs, random.word(), random.word(), random.word()),
        createdAtMs: nowMs,
        eventType,
        url,
        referrer,
        sessionId,
        visitorId: visitor.id,
        deviceType: visitor.deviceType,
        browser: visitor.browser,
        os: visitor.os,
        location: visitor.location,
        language: visitor.language,
        screen: visitor.screen,
        properties,
        isBot: false,
      });
      nowMs += 1_000 + Math.floor(Math.min(random.around(24_000, 0.9), 3 * MINUTE_MS));
    };
    return {
      view(path: string, { query, referrer: from }: { query?: string; referrer?: string } = {}) {
        referrer = url === '' ? (from ?? null) : url;
        url = `https://${domain}${path}${query ? `?${query}` : ''}`;
        add('pageview', null);
      },
      act(properties: NonNullable<TrafficEvent['properties']>) {
        add('custom', properties);
      },
    };
  }
}

/** Midnight, UTC, of the last such weekday before an instant. */
function lastDayOf(weekday: number, beforeMs: number): number {
  const dayMs = Math.floor(beforeMs / DAY_MS) * DAY_MS;
  const since = (new Date(dayMs).getUTCDay() - weekday + 7) % 7;
  return dayMs - since * DAY_MS;
}

function oneOf<Entry>(entries: readonly Entry[], random: Random): Entry {
  // The index is below the length.
  return entries[random.below(entries.length)] as Entry;
}
