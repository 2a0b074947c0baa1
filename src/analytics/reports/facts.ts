import { DEVICE_TYPES } from '../../contract/vocabulary.ts';
import type { Client, Origin } from '../analytics.ts';
import type { Source } from '../query/source.ts';
import type { FACT_DIMENSIONS } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { CHANNELS } from '../vocabulary.ts';

/** A visit in its segment. */
export type VisitPlace = { segment: Segment; visit: number };

/** Where a visit came from. */
export function originOf(place: VisitPlace, source: Source): Origin {
  const text = (name: (typeof FACT_DIMENSIONS)[number]) => factOf(place, name, source);
  const channel = text('channel');
  return {
    referrer: text('referrer'),
    source: text('source'),
    channel: CHANNELS.find((name) => name === channel) ?? null,
    utmSource: text('utmSource'),
    utmMedium: text('utmMedium'),
    utmCampaign: text('utmCampaign'),
    utmContent: text('utmContent'),
    utmTerm: text('utmTerm'),
  };
}

/** What a visit was made with, and from which country. */
export function clientOf(place: VisitPlace, source: Source): Client {
  const text = (name: (typeof FACT_DIMENSIONS)[number]) => factOf(place, name, source);
  const device = text('deviceType');
  return {
    country: text('country'),
    deviceType: DEVICE_TYPES.find((type) => type === device) ?? null,
    browser: text('browser'),
    os: text('os'),
    language: text('language'),
    screen: text('screen'),
  };
}

/** @returns null when the value is absent */
function factOf(
  { segment, visit }: VisitPlace,
  name: (typeof FACT_DIMENSIONS)[number],
  { website, pool }: Source,
): string | null {
  return pool.use(segment, () => {
    const code = segment.codes(name)[segment.column(name)[visit] as number] as number; // within the columns
    return website.dictionaries.get(name).text(code) || null;
  });
}

/** The text of a page; null without one. */
export function pageText(code: number, { website }: Source): string | null {
  return website.dictionaries.get('page').text(code) || null;
}
