import {
  type Fields,
  toBrowser,
  toCity,
  toCountry,
  toDeviceType,
  toInstantMs,
  toLanguage,
  toPageAddress,
  toProperties,
  toReferrerAddress,
  toRegion,
  toScreen,
  toSystem,
} from '../fields.ts';
import type { Format, ReadContext } from '../format.ts';
import { eachRecord, readHeader } from '../source/csv.ts';

const CUSTOM_EVENT = '2';

/** Umami: the CSV of its cloud, or its tables joined as docs/import.md says. A session is a visitor of a month. */
export const umami: Format = {
  name: 'umami',
  matches({ head }) {
    const header = readHeader(head);
    return ['session_id', 'url_path', 'created_at', 'event_type'].every((name) => header.includes(name));
  },
  hasHeader: true,
  columns: {
    event_id: 'id',
    created_at: 'time',
    event_type: 'eventType',
    event_name: 'properties.name',
    event_data: 'properties',
    hostname: 'url',
    url_path: 'url',
    url_query: 'url',
    referrer_domain: 'referrer',
    referrer_path: 'referrer',
    referrer_query: 'referrer',
    session_id: 'visitorId',
    visit_id: 'sessionId',
    browser: 'browser',
    os: 'os',
    device: 'deviceType',
    screen: 'screen',
    language: 'language',
    country: 'location',
    region: 'region',
    city: 'city',
  },
  read: (files, context) => eachRecord(files, (fields) => toRow(fields, context)),
};

function toRow(fields: Fields, { siteUrl, timezone }: ReadContext) {
  const {
    session_id: visitorId,
    visit_id: visitId,
    event_name: name,
    created_at: createdAt,
    event_id: id,
  } = fields;
  const isCustom = fields.event_type === CUSTOM_EVENT || (fields.event_type === 'customEvent' && !!name);
  const { referrer_domain: domain, referrer_path: path = '', referrer_query: query = '' } = fields;
  return {
    event: {
      timestamp: toInstantMs(createdAt, timezone),
      eventType: isCustom ? 'custom' : 'pageview',
      url: toPageAddress(siteUrl, fields.hostname, fields.url_path, fields.url_query),
      referrer: domain
        ? toReferrerAddress(`${domain}${path}${query && `?${query.replace(/^\?/, '')}`}`)
        : undefined,
      visitorId,
      sessionId: visitId || visitorId,
      browser: toBrowser(fields.browser),
      os: toSystem(fields.os),
      deviceType: toDeviceType(fields.device),
      screen: toScreen(fields.screen),
      language: toLanguage(fields.language),
      location: toCountry(fields.country),
      region: toRegion(fields.country, fields.region),
      city: toCity(fields.country, fields.region, fields.city),
      properties: isCustom ? { ...toProperties(fields.event_data), name } : undefined,
    },
    identity: `umami\n${id || `${createdAt}\n${visitorId}\n${fields.url_path}\n${name}`}`,
  };
}
