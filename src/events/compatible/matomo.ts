import { type OldEvent, toReferrer } from './old-event.ts';

/** Goal of an order in Matomo. */
const ORDER = '0';

/** Reads the parameters of Matomo's tracking API. Without its visitor id (cookies off) visitors are counted by day. */
export function readMatomo(parameters: URLSearchParams): OldEvent | undefined {
  const given = (name: string) => parameters.get(name) || undefined;
  const site = given('idsite');
  if (site === undefined) return undefined;
  const what = toWhat(given);
  if (!what) return { site, event: undefined };
  const visitorId = given('cid') ?? given('_id') ?? given('uid');
  return {
    site,
    event: {
      ...(visitorId ? { visitorId, sessionId: visitorId } : { anonymous: true }),
      ...what,
      url: given('url'),
      referrer: toReferrer(given('urlref')),
      screen: given('res'),
    },
  };
}

function toWhat(given: (name: string) => string | undefined): Record<string, unknown> | undefined {
  const [link, download, action, goal] = [given('link'), given('download'), given('e_a'), given('idgoal')];
  if (given('ping')) return undefined; // the page is still open
  if (link) return { eventType: 'click', properties: { href: link, type: 'outbound' } };
  if (download) return { eventType: 'click', properties: { href: download, type: 'download' } };
  if (action) {
    const more = { category: given('e_c'), label: given('e_n'), value: given('e_v') };
    const properties = Object.entries(more).filter(([, value]) => value !== undefined);
    return { eventType: 'custom', properties: { name: action, ...Object.fromEntries(properties) } };
  }
  if (goal === ORDER) {
    const properties = { name: 'purchase', orderId: given('ec_id'), amount: given('revenue') };
    return { eventType: 'custom', properties };
  }
  return goal === undefined ? { eventType: 'pageview' } : undefined; // goals are defined here, and count events
}
