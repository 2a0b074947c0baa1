import { toBrowser, toDeviceType, toLanguage, toReferrerAddress, toSystem } from '../fields.ts';
import type { Format, RowContent } from '../format.ts';
import { eachObject, firstObject } from '../source/json-objects.ts';

type Json = Record<string, unknown>;

/** Events that Google Analytics makes by itself and that say nothing beyond the pageviews. */
const AUTOMATIC = new Set(['session_start', 'first_visit', 'user_engagement', 'scroll', 'form_start']);
const CLICK_TYPES: Record<string, string> = { click: 'outbound', file_download: 'download' };
/** Parameters that become fields, or that only Google Analytics understands. */
const OWN_PARAMETERS =
  /^(?:page_|ga_session|engage|entrances$|session_engaged$|ignore_referrer$|term$|medium$|source$|campaign$|batch_|synthetic_bundle$|debug_mode$)/;

/** Google Analytics 4: the tables of its BigQuery export, as newline-delimited JSON. */
export const ga4: Format = {
  name: 'ga4',
  matches({ head }) {
    const first = firstObject(head);
    return (
      first !== undefined && ['event_timestamp', 'event_name', 'event_params'].every((name) => name in first)
    );
  },
  columns: {
    event_timestamp: 'time',
    event_name: 'eventType, properties.name',
    'event_params.page_location': 'url',
    'event_params.page_referrer': 'referrer',
    user_pseudo_id: 'visitorId',
    'event_params.ga_session_id': 'sessionId',
    'device.web_info.browser': 'browser',
    'device.operating_system': 'os',
    'device.category': 'deviceType',
    'device.language': 'language',
    'geo.country': 'location',
  },
  read: (files) => eachObject(files, (value) => [toRow(value)]),
};

function toRow(row: Json): RowContent {
  const name = String(row.event_name);
  if (AUTOMATIC.has(name)) return { leftOut: 'automatic events of Google Analytics' };
  const parameters = readParameters(row.event_params);
  const device = toObject(row.device);
  const browser = toObject(device.web_info).browser ?? device.browser;
  const visitorId = text(row.user_pseudo_id);
  const own = Object.fromEntries(Object.entries(parameters).filter(([key]) => !OWN_PARAMETERS.test(key)));
  const click = CLICK_TYPES[name];
  const microseconds = Number(row.event_timestamp);
  const order = [
    row.event_bundle_sequence_id,
    row.batch_page_id,
    row.batch_ordering_id,
    row.batch_event_index,
  ];
  return {
    event: {
      timestamp: microseconds > 0 ? Math.floor(microseconds / 1_000) : undefined,
      ...(name === 'page_view'
        ? { eventType: 'pageview' }
        : click
          ? { eventType: 'click', properties: { href: parameters.link_url, type: click } }
          : { eventType: 'custom', properties: { ...own, name } }),
      url: parameters.page_location,
      referrer: toReferrerAddress(text(parameters.page_referrer)),
      visitorId,
      sessionId: text(parameters.ga_session_id) ?? visitorId,
      browser: toBrowser(text(browser)),
      os: toSystem(text(device.operating_system)),
      deviceType: toDeviceType(text(device.category)),
      language: toLanguage(text(device.language)),
      location: codeOf(text(toObject(row.geo).country)),
    },
    identity: `ga4\n${row.event_timestamp}\n${visitorId}\n${name}\n${order.join(' ')}\n${parameters.page_location}`,
  };
}

/** A list of keys, each with a value of one of four types. */
function readParameters(list: unknown): Json {
  if (!Array.isArray(list)) return {};
  return Object.fromEntries(
    list.map((entry: unknown) => {
      const { key, value } = toObject(entry);
      const {
        string_value: string,
        int_value: int,
        float_value: float,
        double_value: double,
      } = toObject(value);
      const number = int ?? float ?? double;
      return [String(key), string ?? (number === undefined || number === null ? undefined : Number(number))];
    }),
  );
}

function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

let codes: Map<string, string> | undefined;

/** Google Analytics names countries in English. */
function codeOf(country: string | undefined): string | undefined {
  codes ??= listCodes();
  return country && codes.get(country);
}

function listCodes(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  return new Map([
    ...all.flatMap((code) => {
      const name = names.of(code);
      return name ? [[name, code] as const] : [];
    }),
    ['Türkiye', 'TR'],
    ['Turkey', 'TR'],
    ['Czechia', 'CZ'],
    ['Myanmar (Burma)', 'MM'],
    ['Hong Kong', 'HK'],
    ['Macao', 'MO'],
  ]);
}
