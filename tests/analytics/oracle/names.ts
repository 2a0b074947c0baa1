import { PROPERTY_KEYS_A_DAY } from '../../../src/analytics/dimensions.ts';

/** New texts of a website and day that keep their names: of pages, of hosts, and of each other dimension. */
export type Bounds = { pages: number; hosts: number; values: number };

export const BOUNDS: Bounds = { pages: 100_000, hosts: 20_000, values: 5_000 };
export const OTHER = '(other)';
const CLOSED_LISTS = ['channel', 'deviceType', 'screenSize', 'countedBy'];

export type Names = ReturnType<typeof createNames>;

/** Which texts of one website keep their names. Receives all of its events, in the order of storing. */
export function createNames({ pages, hosts, values }: Bounds) {
  const named = new Map<string, Set<string>>();
  const newOn = new Map<string, number>();

  /** @returns false when the text has no name: it is not known, and its day has brought too many new ones */
  function isNamed(dictionary: string, text: string, day: number): boolean {
    const known = named.get(dictionary) ?? new Set([OTHER]);
    named.set(dictionary, known);
    if (known.has(text)) return true;
    const place = `${dictionary} ${day}`;
    const count = newOn.get(place) ?? 0;
    if (count >= boundOf(dictionary)) return false;
    newOn.set(place, count + 1);
    known.add(text);
    return true;
  }

  function boundOf(dictionary: string): number {
    if (dictionary === 'propertyKey') return PROPERTY_KEYS_A_DAY;
    if (CLOSED_LISTS.includes(dictionary)) return Number.POSITIVE_INFINITY;
    if (dictionary === 'page' || dictionary === 'property:revenue') return pages;
    return dictionary === 'hostname' || dictionary === 'referrer' ? hosts : values;
  }

  return {
    isNamed,
    /** The empty text is absent, and needs no name. */
    nameOf: (dictionary: string, text: string, day: number): string =>
      text === '' || isNamed(dictionary, text, day) ? text : OTHER,
  };
}
