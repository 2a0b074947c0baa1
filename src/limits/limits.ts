import type { IpAddress } from '../network/ip-address.ts';
import { canonicalGroup, canonicalNetwork } from '../network/ip-range.ts';
import type { LimitSettings } from '../settings/limit.ts';
import { HOUR_MS } from '../vocabulary/durations.ts';
import { AppError } from '../vocabulary/errors.ts';
import { createKeyedHash } from './keyed-hash.ts';
import { createPasswordLimit } from './password-limit.ts';
import { createRateLimit, type Rate, type RateLimit } from './rate-limit.ts';

export const LIMIT_NAMES = [
  'collection',
  'events',
  'sender',
  'account',
  'website',
  'api',
  'registration',
  'login',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

export type Limits = ReturnType<typeof createLimits>;

/** Length of bursts: a sender may use up the limit of this time at once. */
const BURST_S = 5;
/** Length of bursts of events for one website: a page that was offline sends all that it kept. */
const EVENTS_BURST_S = 20;
/**
 * Events of batches from one address for all websites, and for all websites of one account, as multiples of those for one
 * website from one address. Single events are bounded by the requests of an address.
 */
const SENDER_TIMES = 4;
const ACCOUNT_TIMES = 20;
/** A batch must fit. */
const WEBSITE_BURST_MIN = 1_000;
/** Registrations of an address at once: a hash each, of which one is worked on at a time. */
const REGISTRATIONS_AT_ONCE_MAX = 100;

/** Events for one website. */
export type EventLoad = {
  websiteKey: number;
  /** Id of the website's owner. */
  ownerId: string;
  count: number;
  /** Null: its sender has no limit. */
  address: IpAddress | null;
};

/** A load against one limit. */
type Counted = { name: LimitName; limit: RateLimit; key: string; count: number };

type Deps = {
  settings: LimitSettings;
  /** Monotonic clock: setting the system clock must not reset limits. */
  monotonicMs: () => number;
  /** Called on every refusal. */
  onRefused: (limit: LimitName) => void;
  /** Called on every wrong password. */
  onFailure: () => void;
};

/**
 * Limits the requests of each sender: an IPv4 address or the /64 of an IPv6 address. Requests without an address (from a
 * Unix socket) are not limited. The tables of `rate-limit` bound the memory to about a MiB per limit.
 */
export function createLimits({ settings, monotonicMs, onRefused, onFailure }: Deps) {
  const hash = createKeyedHash();
  const create = (isOn: number, rate: Rate) => (isOn > 0 ? createRateLimit({ rate, hash }) : undefined);
  const perSecond = (count: number, burstS = BURST_S) =>
    create(count, { max: count * burstS, perMs: burstS * 1_000 });

  const collection = perSecond(settings.collectPerS);
  const api = perSecond(settings.apiPerS);
  const events = perSecond(settings.eventsPerS, EVENTS_BURST_S);
  const sender = perSecond(settings.eventsPerS * SENDER_TIMES, EVENTS_BURST_S);
  const account = perSecond(settings.eventsPerS * ACCOUNT_TIMES, EVENTS_BURST_S);
  const websiteMax = Math.max(settings.websiteEventsPerS * BURST_S, WEBSITE_BURST_MIN);
  const website = create(settings.websiteEventsPerS, {
    max: websiteMax,
    perMs: (websiteMax / settings.websiteEventsPerS) * 1_000,
  });
  const registrationMax = Math.min(settings.registrationsPerH, REGISTRATIONS_AT_ONCE_MAX);
  const registration = create(settings.registrationsPerH, {
    max: registrationMax,
    perMs: (registrationMax / settings.registrationsPerH) * HOUR_MS,
  });

  function refuse(name: LimitName, limit: RateLimit, key: string, waitMs: number): never {
    onRefused(name);
    const waitS = Math.max(1, Math.ceil(waitMs / 1_000));
    throw new AppError('RATE_LIMITED', `${SENTENCES[name]}; try again in ${waitS} s`, {
      headers: { 'Retry-After': String(waitS), ...rateHeaders(limit, key, monotonicMs()) },
    });
  }

  /** @throws AppError RATE_LIMITED */
  function take(
    name: LimitName,
    limit: RateLimit | undefined,
    address: IpAddress | null,
  ): string | undefined {
    if (!limit || address === null) return undefined;
    const sender = canonicalGroup(address);
    const waitMs = limit.take(sender, monotonicMs());
    if (waitMs > 0) refuse(name, limit, sender, waitMs);
    return sender;
  }

  /** Adds what a load counts against. */
  function addCounted(counted: Counted[], { websiteKey, ownerId, count, address }: EventLoad): void {
    if (events && sender && account && address !== null) {
      const group = canonicalGroup(address);
      counted.push({ name: 'events', limit: events, key: `${websiteKey} ${group}`, count });
      if (count > 1) {
        counted.push({ name: 'sender', limit: sender, key: group, count });
        counted.push({ name: 'account', limit: account, key: ownerId, count });
      }
    }
    if (website) counted.push({ name: 'website', limit: website, key: String(websiteKey), count });
  }

  return {
    /** Counts a request that submits events. Returns no headers about the rest: trackers do not read them. */
    collection(address: IpAddress | null): void {
      take('collection', collection, address);
    },

    /** Counts any other request to the API. @returns the headers with the remaining quota */
    api(address: IpAddress | null): Record<string, string> | undefined {
      const sender = take('api', api, address);
      return api && sender !== undefined ? rateHeaders(api, sender, monotonicMs()) : undefined;
    },

    /** @returns the sender's network */
    registration(address: IpAddress | null): string | undefined {
      take('registration', registration, address);
      return address === null ? undefined : canonicalNetwork(address, 48);
    },

    /**
     * The events of a request: all of them or none.
     *
     * @throws AppError RATE_LIMITED
     */
    events(loads: readonly EventLoad[]): void {
      const nowMs = monotonicMs();
      const counted: Counted[] = [];
      for (const load of loads) addCounted(counted, load);
      const [only] = counted;
      if (only && counted.length === 1) {
        const waitMs = only.limit.take(only.key, nowMs, only.count);
        if (waitMs > 0) refuse(only.name, only.limit, only.key, waitMs);
        return;
      }
      for (const { name, limit, key, count } of counted) {
        const waitMs = limit.waitMs(key, nowMs, count);
        if (waitMs > 0) refuse(name, limit, key, waitMs);
      }
      for (const { limit, key, count } of counted) limit.take(key, nowMs, count);
    },

    passwords: createPasswordLimit({
      settings,
      hash,
      monotonicMs,
      onFailure,
      refuse: (limit, key, waitMs) => refuse('login', limit, key, waitMs),
    }),
  };
}

const SENTENCES: Record<LimitName, string> = {
  collection: 'Too many requests from this address',
  api: 'Too many requests from this address',
  events: 'Too many events for this website from this address',
  sender: 'Too many events in batches from this address',
  account: 'Too many events in batches for the websites of this account',
  website: 'Too many events for this website',
  registration: 'Too many registrations from this address',
  login: 'Too many failed logins',
};

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers-03, the version that clients support. */
function rateHeaders({ rate, rest }: RateLimit, key: string, nowMs: number): Record<string, string> {
  const { remaining, fullInMs } = rest(key, nowMs);
  return {
    'RateLimit-Limit': String(rate.max),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(Math.ceil(fullInMs / 1_000)),
  };
}
