import { integer, setting, type ValuesOf } from './setting.ts';

/** The part of the settings that bounds what one sender may ask for. */

const limit = integer(0, 1_000_000);

export const LIMIT_SETTINGS = {
  LIMIT_COLLECT_PER_S: setting(
    '1000',
    'Requests that submit events, a second and address; five times as many at once. 0: no limit, as for each limit.',
    limit,
  ),
  LIMIT_EVENTS_PER_S: setting(
    '500',
    'Events a second for one website from one address; twenty times as many at once. None for an API key of scope `events` of its owner.',
    limit,
  ),
  LIMIT_WEBSITE_PER_S: setting('0', 'Events a second and website; five times as many at once.', limit),
  LIMIT_API_PER_S: setting(
    '1000',
    'All other requests to the API, a second and address; five times as many at once.',
    limit,
  ),
  LIMIT_REGISTER_PER_H: setting('2000', 'Registrations an hour and address; 100 at once.', limit),
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

/** Each 0 when off. */
export type LimitSettings = {
  /** Requests that submit events, a second and address. */
  collectPerS: number;
  /** Events, a second, website and address. */
  eventsPerS: number;
  /** Events, a second and website. */
  websiteEventsPerS: number;
  /** All other requests to the API, a second and address. */
  apiPerS: number;
  /** An hour and address. */
  registrationsPerH: number;
  /** Of one account from one address, within 15 minutes. */
  loginFailures: number;
  /** Of all accounts from one address, within 15 minutes. */
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
