/** Region and city of an event. */
type Place = { region: string | null; city: string | null };

/** Stands between the two; no name of a place has it. */
const SEPARATOR = '\u001f';

/** Returns one text for both, by which events share a row of `places`; null without either. */
export function packPlace({ region, city }: Place): string | null {
  return region === null && city === null ? null : `${region ?? ''}${SEPARATOR}${city ?? ''}`;
}

export function unpackPlace(place: string | null): Place {
  const [region, city] = place?.split(SEPARATOR) ?? [];
  return { region: region || null, city: city || null };
}
