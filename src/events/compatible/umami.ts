import { isRecord, type OldEvent, textOf, toAddress, toReferrer, toRevenue } from './old-event.ts';

/** Reads what Umami's script and packages send to /api/send. It has no ids of visitors: they are counted by day. */
export function readUmami(body: unknown): OldEvent | undefined {
  const payload = isRecord(body) ? body.payload : undefined;
  const site = isRecord(payload) ? textOf(payload.website) : undefined;
  if (!isRecord(body) || !isRecord(payload) || site === undefined) return undefined;
  if (body.type !== 'event') return { site, event: undefined }; // identify
  const { name, data, hostname, url, referrer, screen, language } = payload;
  const properties = isRecord(data) ? data : {};
  const revenue = toRevenue(properties.revenue, properties.currency);
  return {
    site,
    event: {
      anonymous: true,
      eventType: name ? 'custom' : 'pageview',
      url: toAddress(textOf(url) ?? '/', textOf(hostname)),
      referrer: toReferrer(textOf(referrer)),
      screen,
      language,
      ...(name ? { properties: { ...properties, ...(revenue && { revenue }), name } } : {}),
    },
  };
}
