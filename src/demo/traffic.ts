import { DAY_MS } from '../vocabulary/durations.ts';
import { createRandom, mix } from './random.ts';
import { countryPickers, SLOT_MS, shareBySlot, weekHour } from './rhythm.ts';
import { createSite } from './site.ts';
import type { TrafficEvent } from './traffic-event.ts';
import { createVisits } from './visit.ts';
import { createVisitors } from './visitors.ts';

const BOT_SHARE = 0.012;
const PAGES_DEFAULT = 1_500;

export type TrafficWebsite = {
  domain: string;
  /** Its part of the events, in relation to the other websites' shares. */
  share: number;
  /** How many pages it has. */
  pages?: number;
};

export type TrafficOptions = {
  /** Decides everything: the same options give the same events. */
  seed: number;
  websites: readonly TrafficWebsite[];
  /** Whole days. */
  days: number;
  /** Exactly so many are made, over all websites. */
  events: number;
  /** The traffic fills [endMs - days, endMs). */
  endMs: number;
  /** Whether visits sign up and buy at random. Default: true. */
  hasSales?: boolean;
};

/** One big website with 60 % of the traffic and four smaller ones, the smallest with 4 %. */
export const FIVE_WEBSITES: readonly TrafficWebsite[] = [
  { domain: 'example.com', share: 60, pages: 10_000 },
  { domain: 'shop.example.org', share: 20 },
  { domain: 'blog.example.net', share: 10 },
  { domain: 'example.dev', share: 6 },
  { domain: 'example.app', share: 4 },
];

/**
 * Invented traffic that looks like people: returning visitors, visits of several pages in several tabs, nights and
 * weekends by their time zones, referrers, campaigns, clicks, custom events, and a few bots. Pure. In order of time;
 * holds only what happens within hours in memory (and four bytes a visitor), so ten million events can be streamed.
 */
export function* generateTraffic(options: TrafficOptions): Generator<TrafficEvent, void, undefined> {
  const { days, endMs } = options;
  const startMs = endMs - days * DAY_MS;
  const slots = (days * DAY_MS) / SLOT_MS;
  const sources = createVisitMakers(options, startMs);
  /** Events by slot, kept until all visits that can reach into the slot have begun. */
  const waiting = new Map<number, TrafficEvent[]>();

  for (let slot = 0; slot < slots; slot += 1) {
    for (const source of sources)
      source.beginVisits(slot, (event) => {
        const place = Math.floor((event.createdAtMs - startMs) / SLOT_MS);
        const events = waiting.get(place);
        if (events) events.push(event);
        else waiting.set(place, [event]);
      });
    const events = waiting.get(slot);
    if (!events) continue;
    waiting.delete(slot);
    yield* events.sort((a, b) => a.createdAtMs - b.createdAtMs);
  }
}

type VisitMaker = { beginVisits(slot: number, emit: (event: TrafficEvent) => void): void };

function createVisitMakers(options: TrafficOptions, startMs: number): VisitMaker[] {
  const pickCountry = countryPickers();
  const shares = options.websites.reduce((sum, { share }) => sum + share, 0);
  let sharesBefore = 0;
  return options.websites.map((website, index) => {
    // Rounding the running sum makes the parts add up to the whole.
    const from = Math.round((options.events * sharesBefore) / shares);
    sharesBefore += website.share;
    const to = Math.round((options.events * sharesBefore) / shares);
    return createVisitMaker(options, website, { index, startMs, events: to - from, pickCountry });
  });
}

/** One website: begins so many visits in each slot that its events keep up with their share of the time. */
function createVisitMaker(
  { seed, days, endMs, hasSales = true }: TrafficOptions,
  { domain, pages = PAGES_DEFAULT }: TrafficWebsite,
  {
    index,
    startMs,
    events,
    pickCountry,
  }: { index: number; startMs: number; events: number; pickCountry: ReturnType<typeof countryPickers> },
): VisitMaker {
  const ownSeed = mix(seed, index + 1);
  const random = createRandom(ownSeed);
  const visitors = createVisitors(ownSeed, random);
  const visits = createVisits({
    website: index,
    site: createSite(domain, pages),
    pageCount: pages,
    random,
    endMs,
    hasSales,
  });
  const doneBySlot = shareBySlot(startMs, days, ownSeed);
  let planned = 0;

  return {
    beginVisits(slot, emit) {
      const slotMs = startMs + slot * SLOT_MS;
      const day = Math.floor((slot * SLOT_MS) / DAY_MS);
      const target = slot === doneBySlot.length - 1 ? events : Math.floor(events * (doneBySlot[slot] ?? 0));
      while (planned < target) {
        const country = pickCountry[weekHour(slotMs)]?.(random.next()) ?? 0;
        const beginMs = slotMs + random.below(SLOT_MS);
        const visit = random.chance(BOT_SHARE)
          ? visits.planCrawl(visitors.pass(country), beginMs, events - planned)
          : visits.plan(visitors.arrive(country, day), beginMs, events - planned);
        planned += visit.length;
        for (const event of visit) emit(event);
      }
    },
  };
}
