import { CHANNELS, CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from '../../../vocabulary/analytics.ts';
import { DEVICE_TYPES } from '../../../vocabulary/contract.ts';
import type { Client, Origin } from '../../interface/people.ts';
import type { Source } from '../query/source.ts';
import type { FACT_DIMENSIONS } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';

/** A visit in its segment. */
export type VisitPlace = { segment: Segment; visit: number };

/** Returns where a visit came from. */
export function originOf(place: VisitPlace, source: Source): Origin {
  const texts = textsOf(place, ORIGIN_DIMENSIONS, source);
  return { ...texts, channel: CHANNELS.find((name) => name === texts.channel) ?? null };
}

/** Returns the device, system and country of a visit. */
export function clientOf(place: VisitPlace, source: Source): Client {
  const texts = textsOf(place, CLIENT_DIMENSIONS, source);
  return { ...texts, deviceType: DEVICE_TYPES.find((type) => type === texts.deviceType) ?? null };
}

function textsOf<Name extends (typeof FACT_DIMENSIONS)[number]>(
  place: VisitPlace,
  names: readonly Name[],
  source: Source,
): Record<Name, string | null> {
  const texts = names.map((name) => [name, factOf(place, name, source)]);
  return Object.fromEntries(texts) as Record<Name, string | null>;
}

/** @returns null when the value is absent */
function factOf(
  { segment, visit }: VisitPlace,
  name: (typeof FACT_DIMENSIONS)[number],
  { website, pool }: Source,
): string | null {
  return pool.use(segment, () => {
    const code = segment.codes(name)[segment.codeColumn(name)[visit] as number] as number;
    return website.dictionaries.get(name).text(code) || null;
  });
}

/** Returns the text of a page, or null for code 0. */
export function pageText(code: number, { website }: Source): string | null {
  return website.dictionaries.get('page').text(code) || null;
}
