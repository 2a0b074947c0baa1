import {
  toBrowser,
  toCity,
  toCountry,
  toDeviceType,
  toLanguage,
  toReferrerAddress,
  toRegion,
  toScreen,
  toSystem,
} from '../fields.ts';
import type { Format, ImportRow, RowContent } from '../format.ts';
import { readCsv, readHeader } from '../source/csv.ts';
import { eachObject, firstObject } from '../source/json-objects.ts';
import type { SourceFile } from '../source/source-file.ts';

type Visit = Record<string, unknown>;
type Action = Record<string, unknown>;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

/** Matomo: visits with their actions, as Live.getLastVisitsDetails answers with format=JSON or CSV. */
export const matomo: Format = {
  name: 'matomo',
  matches({ head }) {
    if (isCsv(head)) return true;
    const first = firstObject(head);
    if (first) return 'idVisit' in first && 'actionDetails' in first;
    return /^\s*\[?\s*\{/.test(head) && head.includes('"idVisit"') && head.includes('"actionDetails"');
  },
  columns: {
    'actionDetails.timestamp': 'time',
    'actionDetails.type': 'eventType',
    'actionDetails.url': 'url',
    referrerUrl: 'referrer',
    visitorId: 'visitorId',
    idVisit: 'sessionId',
    browserName: 'browser',
    operatingSystemName: 'os',
    deviceType: 'deviceType',
    resolution: 'screen',
    languageCode: 'language',
    countryCode: 'location',
    regionCode: 'region',
    city: 'city',
  },
  async *read(files) {
    for (const file of files) {
      if (isCsv(file.head)) yield* readVisits(file);
      else yield* eachObject([file], toRows);
    }
  },
};

/** Columns of an action are `actionDetails_0_url`. */
const ACTION_COLUMN = /^actiondetails_(\d+)_(\w+)$/;
/** Names whose case a header of CSV does not keep. */
const VISIT_NAMES = [
  ...['idSite', 'idVisit', 'visitorId', 'referrerUrl', 'browserName', 'operatingSystemName', 'deviceType'],
  ...['resolution', 'languageCode', 'countryCode', 'regionCode', 'city'],
];
const ACTION_NAMES = [
  ...['type', 'url', 'timestamp', 'pageId', 'idpageview', 'eventCategory', 'eventAction', 'eventName'],
  ...['eventValue', 'orderId', 'revenue'],
];

function isCsv(head: string): boolean {
  const header = readHeader(head);
  return header.includes('idvisit') && header.some((name) => ACTION_COLUMN.test(name));
}

async function* readVisits(file: SourceFile): AsyncGenerator<ImportRow[], void, undefined> {
  for await (const group of readCsv(file))
    yield group.flatMap(({ line, fields }) =>
      toRows(toVisit(fields)).map((row) => ({ file: file.name, line, ...row })),
    );
}

function toVisit(fields: Record<string, string>): Visit {
  const actions: Record<string, string>[] = [];
  for (const [column, value] of Object.entries(fields)) {
    const [, index, name] = ACTION_COLUMN.exec(column) ?? [];
    if (index === undefined || name === undefined || value === '' || Number(index) >= ACTIONS_MAX) continue;
    actions[Number(index)] ??= {};
    Object.assign(actions[Number(index)] ?? {}, { [name]: value });
  }
  return {
    ...withNames(VISIT_NAMES, fields),
    // A visit with fewer actions than another has empty columns.
    actionDetails: actions.filter(Boolean).map((action) => withNames(ACTION_NAMES, action)),
  };
}

/** Maximum actions of a visit: Matomo itself lists 500. */
const ACTIONS_MAX = 10_000;

function withNames(names: readonly string[], fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name.toLowerCase()];
      return value ? [[name, value]] : [];
    }),
  );
}

function toRows(visit: Visit): RowContent[] {
  const actions = visit.actionDetails;
  if (!Array.isArray(actions)) return [{ reason: 'actionDetails: Required' }];
  let lastPage: string | undefined;
  return actions.map((action: Action, index) => {
    const url = text(action.url);
    if (action.type === 'action' || action.type === 'search') lastPage = url ?? lastPage;
    const what = toEvent(action, lastPage);
    if (!what) return { leftOut: `actions of type ${text(action.type)?.slice(0, 40)}` };
    const id = text(action.pageId) ?? text(action.idpageview) ?? '';
    return {
      event: {
        ...what,
        timestamp: toMs(action.timestamp),
        referrer: index === 0 ? toReferrerAddress(text(visit.referrerUrl)) : undefined,
        visitorId: text(visit.visitorId),
        sessionId: text(visit.idVisit),
        browser: toBrowser(text(visit.browserName)),
        os: toSystem(text(visit.operatingSystemName)),
        deviceType: toDeviceType(text(visit.deviceType)),
        screen: toScreen(text(visit.resolution)),
        language: toLanguage(text(visit.languageCode)),
        location: toCountry(text(visit.countryCode)),
        region: toRegion(text(visit.countryCode), text(visit.regionCode)),
        city: toCity(text(visit.countryCode), text(visit.regionCode), text(visit.city)),
      },
      identity: `matomo\n${text(visit.idSite)}\n${text(visit.idVisit)}\n${id}\n${text(action.timestamp)}\n${url}`,
    };
  });
}

/** Seconds since the epoch, in UTC. */
function toMs(timestamp: unknown): number | undefined {
  const seconds = Number(timestamp ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

function toEvent(action: Action, page: string | undefined) {
  const url = text(action.url);
  switch (action.type) {
    case 'action':
    case 'search':
      return { eventType: 'pageview', url };
    case 'outlink':
    case 'download': {
      const type = action.type === 'outlink' ? 'outbound' : 'download';
      return { eventType: 'click', url: page ?? url, properties: { href: url, type } };
    }
    case 'event': {
      const { eventCategory: category, eventAction, eventName: label, eventValue: value } = action;
      const given = Object.entries({ category, label, value }).filter(
        ([, each]) => each !== undefined && each !== null && each !== '',
      );
      const name = text(eventAction) ?? 'event';
      return { eventType: 'custom', url: page ?? url, properties: { name, ...Object.fromEntries(given) } };
    }
    case 'ecommerceOrder':
      return {
        eventType: 'custom',
        url: page,
        properties: { name: 'purchase', orderId: text(action.orderId), revenue: Number(action.revenue) || 0 },
      };
    default:
      return undefined;
  }
}
