import {
  toBrowser,
  toCity,
  toCountry,
  toDeviceType,
  toInstantMs,
  toLanguage,
  toProperties,
  toReferrerAddress,
  toRegion,
  toScreen,
  toSystem,
} from '../fields.ts';
import type { Format, RowContent } from '../format.ts';
import { eachObject, firstObject } from '../source/json-objects.ts';

type Json = Record<string, unknown>;

/** PostHog: events of a batch or file export as JSON lines, or the results of its events API. */
export const posthog: Format = {
  name: 'posthog',
  matches({ head }) {
    const first = firstObject(head);
    return (
      first !== undefined && ['uuid', 'event', 'distinct_id', 'properties'].every((name) => name in first)
    );
  },
  columns: {
    uuid: 'id',
    timestamp: 'time',
    event: 'eventType, properties.name',
    distinct_id: 'visitorId',
    'properties.$session_id': 'sessionId',
    'properties.$current_url': 'url',
    'properties.$referrer': 'referrer',
    'properties.$browser': 'browser',
    'properties.$os': 'os',
    'properties.$device_type': 'deviceType',
    'properties.$screen_width': 'screen',
    'properties.$screen_height': 'screen',
    'properties.$browser_language': 'language',
    'properties.$geoip_country_code': 'location',
    'properties.$geoip_subdivision_1_code': 'region',
    'properties.$geoip_city_name': 'city',
  },
  read: (files) => eachObject(files, (value) => [toRow(value)]),
};

function toRow({ uuid, event, timestamp, distinct_id: visitorId, properties: given }: Json): RowContent {
  const name = String(event);
  const isPageview = name === '$pageview';
  if (name.startsWith('$') && !isPageview) return { leftOut: 'events of PostHog itself' };
  const properties = (typeof given === 'string' ? toProperties(given) : (given as Json | undefined)) ?? {};
  const text = (key: string) => (typeof properties[key] === 'string' ? properties[key] : undefined);
  const own = Object.fromEntries(
    Object.entries(properties).filter(([key]) => !/^\$|^token$|^distinct_id$/.test(key)),
  );
  return {
    event: {
      timestamp: toInstantMs(String(timestamp)),
      eventType: isPageview ? 'pageview' : 'custom',
      url: text('$current_url'),
      referrer: toReferrerAddress(text('$referrer')),
      visitorId,
      sessionId: text('$session_id') ?? visitorId,
      browser: toBrowser(text('$browser')),
      os: toSystem(text('$os')),
      deviceType: toDeviceType(text('$device_type')),
      screen: toScreen(`${properties.$screen_width}x${properties.$screen_height}`),
      language: toLanguage(text('$browser_language')),
      location: toCountry(text('$geoip_country_code')),
      region: toRegion(text('$geoip_country_code'), text('$geoip_subdivision_1_code')),
      city: toCity(text('$geoip_country_code'), text('$geoip_subdivision_1_code'), text('$geoip_city_name')),
      properties: isPageview ? (Object.keys(own).length > 0 ? own : undefined) : { ...own, name },
    },
    identity: `posthog\n${uuid}`,
  };
}
