import {
  type Fields,
  toBrowser,
  toCountry,
  toInstantMs,
  toPageAddress,
  toReferrerAddress,
  toRegion,
  toSystem,
} from '../fields.ts';
import type { Format, ReadContext } from '../format.ts';
import { eachRecord, readHeader } from '../source/csv.ts';

/** The first column bears the version of the export before its name. */
const PATH = /^\d*,?\s?path$/;

/** GoatCounter: its CSV export, as https://www.goatcounter.com/help/export describes it. */
export const goatcounter: Format = {
  name: 'goatcounter',
  matches({ head }) {
    const header = readHeader(head);
    return (
      PATH.test(header[0] ?? '') && ['session', 'firstvisit', 'date'].every((name) => header.includes(name))
    );
  },
  readNames: ({ head }) => readHeader(head),
  columns: {
    path: 'url',
    event: 'eventType',
    session: 'visitorId, sessionId',
    referrer: 'referrer',
    browser: 'browser',
    system: 'os',
    location: 'location, region',
    date: 'time',
    bot: 'left out',
  },
  read: (files, context) => eachRecord(files, (fields) => toRow(fields, context)),
};

function toRow(fields: Fields, { siteUrl, timezone }: ReadContext) {
  if (Number(fields.bot) > 0) return { leftOut: 'bots' };
  const path = Object.entries(fields).find(([name]) => PATH.test(name))?.[1] ?? '';
  const { session, date } = fields;
  const isEvent = /^(?:true|1|t|yes)$/i.test(fields.event ?? '');
  return {
    event: {
      timestamp: toInstantMs(date, timezone),
      eventType: isEvent ? 'custom' : 'pageview',
      url: isEvent ? siteUrl : toPageAddress(siteUrl, undefined, path),
      referrer: toReferrerAddress(fields.referrer),
      visitorId: session,
      sessionId: session,
      // "Firefox 130" and "Windows 10": the version stands behind the name.
      browser: toBrowser(fields.browser?.replace(/ [\d.]+$/, '')),
      os: toSystem(fields.system),
      location: toCountry(fields.location),
      region: toRegion(undefined, fields.location),
      properties: isEvent ? { name: path } : undefined,
    },
    identity: `goatcounter\n${date}\n${session}\n${path}`,
  };
}
