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
import type { Format, ImportRow, ReadContext } from '../format.ts';
import { type CsvGroup, readCsv, readHeader } from '../source/csv.ts';
import { isPgDump, readPgDump } from '../source/pg-dump.ts';
import type { SourceFile } from '../source/source-file.ts';

const CUSTOM_EVENT = '2';

/** Tables of Umami by the columns of their files. */
const TABLES = {
  website_event: ['session_id', 'url_path', 'created_at', 'event_type'],
  event_data: ['data_key', 'string_value', 'number_value'],
  session: ['session_id', 'browser', 'os', 'device'],
} as const;
type Table = keyof typeof TABLES;
const TABLE_NAMES: ReadonlySet<string> = new Set(Object.keys(TABLES));

/**
 * Umami: the CSV of its cloud, its tables as CSV, each in a file or joined, or a plain dump of PostgreSQL. A session is a
 * visitor of a month.
 */
export const umami: Format = {
  name: 'umami',
  matches: (file) =>
    isPgDump(file) ? /website_event|event_data/.test(file.head) : tableOf(file) !== undefined,
  readNames: (file) => (isPgDump(file) ? [] : readHeader(file.head)),
  columns: {
    event_id: 'id',
    created_at: 'time',
    event_type: 'eventType',
    event_name: 'properties.name',
    event_data: 'properties',
    data_key: 'properties',
    string_value: 'properties',
    number_value: 'properties',
    date_value: 'properties',
    website_event_id: 'id',
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
  read: (files, context) => readTables(files, context),
};

function tableOf({ head }: SourceFile): Table | undefined {
  const header = readHeader(head);
  const found = Object.entries(TABLES).find(([, columns]) => columns.every((name) => header.includes(name)));
  return found?.[0] as Table | undefined; // one of its keys
}

async function* readTables(files: readonly SourceFile[], context: ReadContext): AsyncGenerator<ImportRow[]> {
  const { UmamiTables } = await import('./umami-tables.ts');
  const tables = new UmamiTables();
  try {
    const dumps = files.filter(isPgDump);
    const csv = Map.groupBy(
      files.filter((file) => !isPgDump(file)),
      tableOf,
    );
    for (const file of csv.get('session') ?? [])
      for await (const group of readCsv(file)) tables.addSessions(group.map(({ fields }) => fields));
    for (const file of csv.get('event_data') ?? [])
      for await (const group of readCsv(file)) tables.addData(group.map(({ fields }) => fields));
    for (const file of csv.get('website_event') ?? csv.get(undefined) ?? [])
      for await (const group of readCsv(file)) yield toRows(file, group);
    // Tables are in the order of their names: the events are the last of these.
    for (const file of dumps)
      for await (const { table, rows } of readPgDump(file, TABLE_NAMES)) {
        if (table === 'session') tables.addSessions(rows.map(({ fields }) => fields));
        else if (table === 'event_data') tables.addData(rows.map(({ fields }) => fields));
        else yield toRows(file, rows);
      }
  } finally {
    tables.close();
  }

  function toRows(file: SourceFile, group: CsvGroup): ImportRow[] {
    return group.map(({ line, fields }) => ({
      file: file.name,
      line,
      ...toRow(tables.complete(fields), context),
    }));
  }
}

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
