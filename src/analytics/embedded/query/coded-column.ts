import { type Dimension, type NamedDimension, VISITOR_TYPES } from '../../../vocabulary/analytics.ts';
import { EVENT_TYPES } from '../../../vocabulary/contract.ts';
import { toText } from '../../derive/text.ts';
import { DIMENSION_RECORDS, propertyKeyOf } from '../../dimensions.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { Arena } from '../memory/arena.ts';
import type { LocalDictionary } from '../segment/schema.ts';
import type { LocalColumn, Segment } from '../segment/segment.ts';
import { eachFirstVisits } from './first-visits.ts';
import type { Matches } from './matches.ts';
import type { Source } from './source.ts';

/** A dimension as questions read it. Codes are the website's; 0 is absent. */
export type CodedColumn = {
  readonly dimension: Dimension;
  readonly scope: 'visit' | 'event';
  /** Set when its codes depend on other segments too, so that counts by it cannot be cached with a segment. */
  readonly isOfWebsite?: true;
  /** Greatest possible code. */
  readonly count: number;
  /**
   * Returns local codes of visits, or of events, valid while the segment is in use. With `of`, only for those that match.
   */
  local(segment: Segment, of?: Matches): Uint16Array;
  /** Maps local codes to codes. */
  codes(segment: Segment): Uint32Array;
  text(code: number): string;
  /** Returns 0 when no event has the text. */
  find(text: string): number;
  /** Visits every text except the absent one. */
  each(visit: (code: number, text: string) => void): void;
};

const EVENT_TYPE_CODES = Uint32Array.from([0, ...EVENT_TYPES], (_, code) => code);

export function openColumn(dimension: Dimension, source: Source): CodedColumn {
  const key = propertyKeyOf(dimension);
  if (key !== undefined) return openProperty(dimension, toText(key), source);
  const name = dimension as NamedDimension; // not a property
  const { scope, dictionary } = DIMENSION_RECORDS[name];
  if (name === 'visitorType') return openVisitorType(source);
  if (dictionary === undefined || name === 'eventType') return openEventType(source.arena);
  return {
    dimension,
    scope,
    local: widened((segment) => segment.codeColumn(name), scope, source.arena),
    codes: (segment) => segment.codes(dictionary as LocalDictionary), // a dimension's own
    ...textsOf(source.website.dictionaries.get(dictionary)),
  };
}

/** Reads the texts that exist when the question begins. */
function textsOf(dictionary: Dictionary): Pick<CodedColumn, 'count' | 'text' | 'find' | 'each'> {
  return {
    count: dictionary.count,
    text: (code) => dictionary.text(code),
    find: (text) => dictionary.find(text),
    each: (visit) => dictionary.each(visit),
  };
}

/**
 * Columns are kept in 8 bits, which halves the memory, and widened to 16, so that every loop meets one type. For few
 * matches, widening everything would cost more than the counting. The codes of the last segment are remembered.
 */
function widened(
  read: (segment: Segment) => LocalColumn,
  scope: CodedColumn['scope'],
  arena: Arena,
): CodedColumn['local'] {
  const wide = arena.u16(LOCAL_MAX);
  let madeOf: Segment | undefined;
  return (segment, of) => {
    const codes = read(segment);
    if (codes instanceof Uint16Array) return codes;
    if (madeOf === segment) return wide;
    const isOfFew = of !== undefined && of.count < segment.visitCount * FEW;
    if (!isOfFew) wide.set(codes);
    else if (scope === 'visit') widenVisits(codes, of, wide);
    else widenEvents(codes, of, wide);
    madeOf = isOfFew ? undefined : segment;
    return wide;
  };
}

/** Share of matches above which all codes are widened: that takes half as long per code. */
const FEW = 0.5;

function widenVisits(codes: Uint8Array, { count, visits }: Matches, wide: Uint16Array): void {
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    wide[visit] = codes[visit] as number;
  }
}

function widenEvents(codes: Uint8Array, { segment, count, visits }: Matches, wide: Uint16Array): void {
  const first = segment.column('first');
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    const end = first[visit + 1] as number;
    for (let event = first[visit] as number; event < end; event += 1) wide[event] = codes[event] as number;
  }
}

function openEventType(arena: Arena): CodedColumn {
  return {
    dimension: 'eventType',
    scope: 'event',
    local: widened((segment) => segment.column('eventType'), 'event', arena),
    codes: () => EVENT_TYPE_CODES,
    ...fixedTexts(EVENT_TYPES),
  };
}

const VISITOR_TYPE_CODES = Uint32Array.from([0, ...VISITOR_TYPES], (_, code) => code);
const NEW = VISITOR_TYPES.indexOf('new') + 1;
const RETURNING = VISITOR_TYPES.indexOf('returning') + 1;

function openVisitorType(source: Source): CodedColumn {
  const { arena, website } = source;
  const places = new Map<Segment, number>();
  let visitCount = 0;
  for (const segment of website.segments) {
    places.set(segment, visitCount);
    visitCount += segment.visitCount;
  }
  const types = arena.u8(visitCount).fill(RETURNING);
  eachFirstVisits(source, Number.POSITIVE_INFINITY, (segment, visits) => {
    const place = places.get(segment) ?? 0;
    for (const visit of visits) types[place + visit] = NEW;
  });
  return {
    dimension: 'visitorType',
    scope: 'visit',
    isOfWebsite: true,
    local: widened(
      (segment) => {
        const place = places.get(segment) ?? 0;
        return types.subarray(place, place + segment.visitCount);
      },
      'visit',
      arena,
    ),
    codes: () => VISITOR_TYPE_CODES,
    ...fixedTexts(VISITOR_TYPES),
  };
}

function fixedTexts(texts: readonly string[]): Pick<CodedColumn, 'count' | 'text' | 'find' | 'each'> {
  return {
    count: texts.length,
    text: (code) => texts[code - 1] ?? '',
    find: (text) => texts.indexOf(text) + 1,
    each: (visit) => {
      for (const [index, text] of texts.entries()) visit(index + 1, text);
    },
  };
}

const NO_CODES = Uint32Array.of(0);

/** Builds the column of a property when a question needs it, because few events have a property. */
function openProperty(dimension: Dimension, key: string, { website, arena }: Source): CodedColumn {
  const { dictionaries } = website;
  const keyCode = dictionaries.get('propertyKey').find(key);
  const local = arena.u16(LOCAL_MAX);
  let madeOf: Segment | undefined;
  return {
    dimension,
    scope: 'event',
    ...(keyCode === 0 ? NO_TEXTS : textsOf(dictionaries.property(keyCode))),
    local(segment) {
      if (madeOf === segment) return local;
      madeOf = segment;
      local.fill(0);
      const property = segment.property(keyCode);
      property?.events.forEach((event, row) => {
        local[event] = property.values[row] as number;
      });
      return local;
    },
    codes: (segment) => segment.property(keyCode)?.codes ?? NO_CODES,
  };
}

const LOCAL_MAX = 2 ** 16;
const NO_TEXTS = { count: 0, text: () => '', find: () => 0, each: () => {} };
