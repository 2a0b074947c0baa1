import { EVENT_TYPES } from '../contract/vocabulary.ts';
import { discard } from '../garbage.ts';
import type { Day, ExtraColumn } from './day.ts';
import type { DayProperty } from './day-properties.ts';

/**
 * The columns of events that a question needs, as numbers that mean the same on every day: `page`, `hostname`, `event`
 * by the website's dictionary, `eventType` as the type's code + 1, `property:KEY` by a list that is made for the one
 * question, because the values of properties are in no dictionary. `number:KEY` is the same for the values that were
 * JSON numbers only.
 */
export type ScanColumns = {
  get(day: Day, name: string): Uint32Array;
  /** For days that are put together by the scan. */
  set(day: Day, name: string, column: Uint32Array): void;
  values(name: string): PropertyTexts;
};

export type DaySource = {
  extra(day: Day, name: ExtraColumn): Uint32Array;
  property(day: Day, key: string): DayProperty | undefined;
};

export const PROPERTY_PREFIX = 'property:';
export const NUMBER_PREFIX = 'number:';
/** The day that an event of a joined day is from, + SOURCE_DAY_ZERO; ordinals count within it. Other days have none. */
export const SOURCE_DAY = 'sourceDay';
export const SOURCE_DAY_ZERO = 100_000_001;

export function createScanColumns(source: DaySource): ScanColumns {
  const made = new WeakMap<Day, Map<string, Uint32Array>>();
  const texts = new Map<string, PropertyTexts>();

  function values(name: string): PropertyTexts {
    const known = texts.get(name) ?? new PropertyTexts();
    texts.set(name, known);
    return known;
  }

  function set(day: Day, name: string, column: Uint32Array): void {
    const columns = made.get(day) ?? new Map<string, Uint32Array>();
    columns.set(name, column);
    made.set(day, columns);
  }

  function get(day: Day, name: string): Uint32Array {
    if (name === 'page') return day.page;
    const known = made.get(day)?.get(name);
    if (known) return known;
    const column = make(day, name);
    if (day.isPassing) discard(column.byteLength);
    set(day, name, column);
    return column;
  }

  function make(day: Day, name: string): Uint32Array {
    if (name === 'eventType') return Uint32Array.from(day.type, (type) => type + 1);
    if (name === 'hostname' || name === 'event' || name === 'ordinal') return source.extra(day, name);
    const colon = name.indexOf(':');
    const property = source.property(day, name.slice(colon + 1));
    if (!property) return new Uint32Array(day.eventCount);
    const texts = values(name);
    const numbers = property.values.map((value) => texts.intern(value));
    const isWanted = name.startsWith(NUMBER_PREFIX)
      ? (row: number) => property.numeric[row] === 1
      : () => true;
    return spread(property, source.extra(day, 'ordinal'), numbers, isWanted);
  }

  return { get, set, values };
}

/** From rows by ordinal to a column by event. */
function spread(
  property: DayProperty,
  ordinals: Uint32Array,
  numbers: number[],
  isWanted: (row: number) => boolean,
): Uint32Array {
  const byOrdinal = new Uint32Array((property.ordinals.at(-1) ?? 0) + 1);
  property.ordinals.forEach((ordinal, row) => {
    if (isWanted(row)) byOrdinal[ordinal] = numbers[property.indexes[row] ?? 0] ?? 0;
  });
  return ordinals.map((ordinal) => (ordinal < byOrdinal.length ? (byOrdinal[ordinal] ?? 0) : 0));
}

/** Numbers of the values of one property within one question; 0 is absent. */
export class PropertyTexts {
  readonly texts: string[] = [''];
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #listeners: ((text: string) => void)[] = [];

  intern(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.length;
    this.texts.push(text);
    this.#numbers.set(text, number);
    for (const listen of this.#listeners) listen(text);
    return number;
  }

  /** Calls back for each text that is there and each that comes, in the order of their numbers. */
  each(listen: (text: string) => void): void {
    for (const text of this.texts) listen(text);
    this.#listeners.push(listen);
  }
}

export const EVENT_TYPE_TEXTS: readonly string[] = ['', ...EVENT_TYPES];
