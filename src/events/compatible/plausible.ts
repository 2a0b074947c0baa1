import { isRecord, type OldEvent, textOf, toAddress, toReferrer, toRevenue } from './old-event.ts';

/** Events that Plausible's script sends by itself, which are clicks here. */
const CLICKS: Record<string, string> = { 'Outbound Link: Click': 'outbound', 'File Download': 'download' };

/** Reads what Plausible's script and packages send to /api/event. It has no ids of visitors: they are counted by day. */
export function readPlausible(body: unknown): OldEvent | undefined {
  if (!isRecord(body)) return undefined;
  const name = textOf(body.n ?? body.name);
  // A page may be counted for several websites, separated by commas: for the first one here.
  const site = textOf(body.d ?? body.domain)
    ?.split(',')[0]
    ?.trim();
  if (name === undefined || !site) return undefined;
  if (name === 'engagement') return { site, event: undefined }; // how far a page was read
  const url = toAddress(textOf(body.u ?? body.url), site);
  const common = { anonymous: true, url, referrer: toReferrer(textOf(body.r ?? body.referrer)) };
  if (name === 'pageview') return { site, event: { ...common, eventType: 'pageview' } };
  const properties = readProperties(body.p ?? body.props ?? body.m ?? body.meta);
  const type = CLICKS[name];
  if (type)
    return { site, event: { ...common, eventType: 'click', properties: { href: properties.url, type } } };
  const money = readProperties(body.$ ?? body.revenue);
  const revenue = toRevenue(money.amount, money.currency);
  return {
    site,
    event: {
      ...common,
      eventType: 'custom',
      properties: { ...properties, ...(revenue && { revenue }), name },
    },
  };
}

/** The script sends an object, or its JSON text. */
function readProperties(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  if (typeof value !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
