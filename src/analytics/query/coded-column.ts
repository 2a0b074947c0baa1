import { EVENT_TYPES } from '../../contract/vocabulary.ts';
import { toText } from '../derive/text.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { DIMENSION_RECORDS, propertyKeyOf } from '../dimensions.ts';
import type { Arena } from '../memory/arena.ts';
import type { LocalDictionary } from '../segment/schema.ts';
import type { LocalColumn, Segment } from '../segment/segment.ts';
import type { Dimension, NamedDimension } from '../vocabulary.ts';
import type { Source } from './source.ts';

/** A dimension as a question reads it. Codes are the website's, 0 is absent. */
export type CodedColumn = {
  readonly dimension: Dimension;
  readonly scope: 'visit' | 'event';
  /** Codes are not above this. */
  readonly count: number;
  /** The local codes of visits, or of events; good as long as the segment is looked at. */
  local(segment: Segment): Uint16Array;
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
  if (dictionary === undefined || name === 'eventType') return openEventType(source.arena);
  return {
    dimension,
    scope,
    local: widened((segment) => segment.codeColumn(name), source.arena),
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

/** Kept in 8 bits, they take half the memory; in 16, every loop meets one type. The last segment's are remembered. */
function widened(read: (segment: Segment) => LocalColumn, arena: Arena): CodedColumn['local'] {
  const wide = arena.u16(LOCAL_MAX);
  let madeOf: Segment | undefined;
  return (segment) => {
    const codes = read(segment);
    if (codes instanceof Uint16Array) return codes;
    if (madeOf !== segment) wide.set(codes);
    madeOf = segment;
    return wide;
  };
}

function openEventType(arena: Arena): CodedColumn {
  return {
    dimension: 'eventType',
    scope: 'event',
    count: EVENT_TYPES.length,
    local: widened((segment) => segment.column('eventType'), arena),
    codes: () => EVENT_TYPE_CODES,
    text: (code) => EVENT_TYPES[code - 1] ?? '',
    find: (text) => (EVENT_TYPES as readonly string[]).indexOf(text) + 1,
    each: (visit) => {
      for (const [index, text] of EVENT_TYPES.entries()) visit(index + 1, text);
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
