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

/** A dimension as a question reads it. Codes are the website's, 0 is absent. */
export type CodedColumn = {
  readonly dimension: Dimension;
  readonly scope: 'visit' | 'event';
  /** Its codes follow from other segments too, so that nothing that is counted by it may be kept with one. */
  readonly isOfWebsite?: true;
  /** Codes are not above this. */
  readonly count: number;
  /** The local codes of visits, or of events; good as long as the segment is looked at. With `of`, only of those that match. */
  local(segment: Segment, of?: Matches): Uint16Array;
  /** Local code to code. */
  codes(segment: Segment): Uint32Array;
  text(code: number): string;
  /** 0 when no event has the text. */
  find(text: string): number;
  /** Every text, but for the absent one. */
  each(visit: (code: number, text: string) => void): void;
};

const EVENT_TYPE_CODES = Uint32Array.from([0, ...EVENT_TYPES], (_, code) => code);

export function openColumn(dimension: Dimension, source: Source): CodedColumn {
  const key = propertyKeyOf(dimension);
  if (key !== undefined) return openProperty(dimension, toText(key), source);
  const name = dimension as NamedDimension; // it is no property
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

/** Of the texts that there are when the question begins. */
function textsOf(dictionary: Dictionary): Pick<CodedColumn, 'count' | 'text' | 'find' | 'each'> {
  return {
    count: dictionary.count,
    text: (code) => dictionary.text(code),
    find: (text) => dictionary.find(text),
    each: (visit) => dictionary.each(visit),
  };
}

/**
 * Kept in 8 bits, they take half the memory; in 16, every loop meets one type. Of few matches, the codes of all would cost
 * more than whatever is counted. All codes of the last segment are remembered.
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

/** Widening all at once takes half as long for each. */
const FEW = 0.5;

function widenVisits(codes: Uint8Array, { count, visits }: Matches, wide: Uint16Array): void {
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number; // visits and events are within the columns, here and below
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

/** Few events have a property, so that its column is made when somebody asks. */
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
        local[event] = property.values[row] as number; // columns of one length
      });
      return local;
    },
    codes: (segment) => segment.property(keyCode)?.codes ?? NO_CODES,
  };
}

const LOCAL_MAX = 2 ** 16;
const NO_TEXTS = { count: 0, text: () => '', find: () => 0, each: () => {} };
