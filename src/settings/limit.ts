import { integer, setting, type ValuesOf } from './setting.ts';

/** Settings that limit the requests of one sender. */

const limit = integer(0, 1_000_000);

export const LIMIT_SETTINGS = {
  LIMIT_COLLECT_PER_S: setting(
    '1000',
    'Requests that submit events, per second and address; bursts of five times as many. 0 turns this limit, or any other, off.',
    limit,
  ),
  LIMIT_EVENTS_PER_S: setting(
    '500',
    "Events per second for one website from one address; bursts of twenty times as many. Does not apply to the owner's API keys of scope `events`.",
    limit,
  ),
  LIMIT_WEBSITE_PER_S: setting('0', 'Events per second and website; bursts of five times as many.', limit),
  LIMIT_API_PER_S: setting(
    '1000',
    'All other requests to the API, per second and address; bursts of five times as many.',
    limit,
  ),
  LIMIT_REGISTER_PER_H: setting('2000', 'Registrations per hour and address; bursts of 100.', limit),
  LIMIT_LOGIN_FAILURES: setting(
    '10',
    'Wrong passwords for one account from one address, within 15 minutes.',
    limit,
  ),
  LIMIT_LOGIN_FAILURES_ADDRESS: setting(
    '300',
    'Wrong passwords for all accounts from one address, within 15 minutes.',
    limit,
  ),
} as const;

/** Limits; 0 turns one off. */
export type LimitSettings = {
  /** Requests that submit events, per second and address. */
  collectPerS: number;
  /** Events per second, website and address. */
  eventsPerS: number;
  /** Events per second and website. */
  websiteEventsPerS: number;
  /** All other requests to the API, per second and address. */
  apiPerS: number;
  /** Registrations per hour and address. */
  registrationsPerH: number;
  /** Wrong passwords for one account from one address, within 15 minutes. */
  loginFailures: number;
  /** Wrong passwords for all accounts from one address, within 15 minutes. */
  loginFailuresPerAddress: number;
};

export function toLimitSettings(values: ValuesOf<typeof LIMIT_SETTINGS>): LimitSettings {
  return {
    collectPerS: values.LIMIT_COLLECT_PER_S,
    eventsPerS: values.LIMIT_EVENTS_PER_S,
    websiteEventsPerS: values.LIMIT_WEBSITE_PER_S,
    apiPerS: values.LIMIT_API_PER_S,
    registrationsPerH: values.LIMIT_REGISTER_PER_H,
    loginFailures: values.LIMIT_LOGIN_FAILURES,
    loginFailuresPerAddress: values.LIMIT_LOGIN_FAILURES_ADDRESS,
  };
}
