import {
  type Fields,
  toBrowser,
  toCountry,
  toDeviceType,
  toInstantMs,
  toLanguage,
  toPageAddress,
  toReferrerAddress,
  toScreen,
  toSystem,
} from '../fields.ts';
import type { Format, ReadContext } from '../format.ts';
import { eachRecord, readHeader } from '../source/csv.ts';

/** Simple Analytics: CSV of its export of data points, with all fields chosen. */
export const simpleAnalytics: Format = {
  name: 'simple-analytics',
  matches({ head }) {
    const header = readHeader(head);
    return ['added_iso', 'path'].every((name) => header.includes(name));
  },
  readNames: ({ head }) => readHeader(head),
  columns: {
    uuid: 'id',
    added_iso: 'time',
    datapoint: 'properties.name',
    hostname: 'url',
    path: 'url',
    query: 'url',
    document_referrer: 'referrer',
    session_id: 'visitorId, sessionId',
    browser_name: 'browser',
    os_name: 'os',
    device_type: 'deviceType',
    screen_width: 'screen',
    screen_height: 'screen',
    lang_language: 'language',
    lang_region: 'language',
    country_code: 'location',
    is_robot: 'left out',
  },
  read: (files, context) => eachRecord(files, (fields) => toRow(fields, context)),
};

function toRow(fields: Fields, { siteUrl, timezone }: ReadContext) {
  if (fields.is_robot === 'true') return { leftOut: 'bots' };
  const {
    datapoint,
    session_id: session,
    added_iso: addedIso,
    lang_language: language,
    lang_region: region,
  } = fields;
  const isCustom = !!datapoint && datapoint !== 'pageview';
  return {
    event: {
      timestamp: toInstantMs(addedIso, timezone),
      eventType: isCustom ? 'custom' : 'pageview',
      url: toPageAddress(siteUrl, fields.hostname, fields.path, fields.query),
      referrer: toReferrerAddress(fields.document_referrer),
      visitorId: session,
      sessionId: session,
      browser: toBrowser(fields.browser_name),
      os: toSystem(fields.os_name),
      deviceType: toDeviceType(fields.device_type),
      screen: toScreen(`${fields.screen_width}x${fields.screen_height}`),
      language: toLanguage(region ? `${language}-${region}` : language),
      location: toCountry(fields.country_code),
      properties: isCustom ? { name: datapoint } : undefined,
    },
    identity: `simple-analytics\n${fields.uuid || `${addedIso}\n${session}\n${fields.path}\n${datapoint}`}`,
  };
}
