import { formsOf } from '../../derive/forms.ts';
import { compareText } from '../../derive/text.ts';
import { quickselect } from '../collections/quickselect.ts';
import type { Arena } from '../memory/arena.ts';
import type { CodedColumn } from './coded-column.ts';

/** Number of reads from which reading the whole dictionary is cheaper than single reads. */
const WARM_ABOVE = 500;

/** Texts of a column's codes, for a question that reads many. */
export class Texts {
  #all: string[] | undefined;
  #reads = 0;

  constructor(readonly column: CodedColumn) {}

  get(code: number): string {
    this.#reads += 1;
    if (this.#reads > WARM_ABOVE) this.warm();
    return this.#all?.[code] ?? this.column.text(code);
  }

  /** Prepares many calls of `get`. */
  warm(): void {
    if (this.#all) return;
    const texts: string[] = [''];
    this.column.each((code, text) => {
      texts[code] = text;
    });
    this.#all = texts;
  }
}

export type Ranking = {
  limit: number;
  offset: number;
  descending: boolean;
  /** Weight of a code; undefined ranks by text. */
  weigh: ((code: number) => number) | undefined;
};

/** Returns one page of ranked values. Ties are ordered by text. */
export function rank(present: Uint32Array, texts: Texts, ranking: Ranking, arena: Arena): number[] {
  const { limit, offset, descending, weigh } = ranking;
  const sign = descending ? -1 : 1;
  if (!weigh) {
    texts.warm();
    const sorted = present.toSorted((a, b) => sign * compareText(texts.get(a), texts.get(b)));
    return [...sorted.subarray(offset, offset + limit)];
  }
  if (limit === 0 || present.length <= offset) return [];
  const weights = arena.f64(present.length);
  present.forEach((code, index) => {
    weights[index] = sign * weigh(code);
  });
  // Compare by text only the values that can be on the page: a tie at its end may hold thousands.
  const last = quickselect(weights, Math.min(offset + limit, present.length) - 1);
  const candidates = present.filter((code) => sign * weigh(code) <= last);
  return [...candidates]
    .sort((a, b) => sign * (weigh(a) - weigh(b)) || compareText(texts.get(a), texts.get(b)))
    .slice(offset, offset + limit);
}

/** Restricts a breakdown to some values. */
type Wanted = {
  search?: string | undefined;
  withAbsent?: boolean | undefined;
  only?: readonly (string | null)[] | undefined;
};

/** Returns the codes that have events and match the search, ascending. */
export function presentCodes(
  events: Uint32Array,
  { search = '', withAbsent = false, only }: Wanted,
  texts: Texts,
  arena: Arena,
): Uint32Array {
  if (only) return codesOf(only, events, texts);
  const present = arena.u32(events.length);
  const wanted = formsOf(texts.column.dimension, search).map((form) => form.toLowerCase());
  const isSearched = search !== '';
  if (isSearched) texts.warm();
  let count = 0;
  for (let code = withAbsent && !isSearched ? 0 : 1; code < events.length; code += 1) {
    if (events[code] === 0) continue;
    if (isSearched && !hasOne(texts.get(code).toLowerCase(), wanted)) continue;
    present[count] = code;
    count += 1;
  }
  return present.subarray(0, count);
}

function codesOf(values: readonly (string | null)[], events: Uint32Array, { column }: Texts): Uint32Array {
  const codes = new Set<number>();
  for (const value of values) {
    const code = value === null ? 0 : column.find(value);
    if ((value === null || code !== 0) && (events[code] ?? 0) > 0) codes.add(code);
  }
  return Uint32Array.from(codes).sort();
}

function hasOne(text: string, wanted: readonly string[]): boolean {
  return wanted.some((part) => text.includes(part));
}
