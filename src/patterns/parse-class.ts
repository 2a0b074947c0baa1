import { type CharacterSet, ESCAPED_SETS, not, rangeOf, union } from './character-set.ts';
import type { Cursor } from './cursor.ts';
import { findUnicodeSet } from './unicode-property.ts';

/** A character of a class. `codePoint` is undefined when it stands for several. */
type ClassMember = { set: CharacterSet; codePoint?: number };

const CONTROLS = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const PROPERTY_LENGTH_MAX = 40;

export function literal(character: string): ClassMember & { codePoint: number } {
  const codePoint = character.codePointAt(0) ?? 0;
  return { set: rangeOf(codePoint), codePoint };
}

/** Reads the characters after a backslash. @throws PatternError */
export function readEscape(cursor: Cursor, ignoresCase: boolean): ClassMember {
  const character = cursor.peek();
  if (character === undefined) throw cursor.fault('Nothing follows the last \\');
  if (character === 'p' || character === 'P') return { set: readProperty(cursor, ignoresCase) };
  const set = ESCAPED_SETS.get(character);
  const control = CONTROLS.get(character);
  if (!set && !control && /[\p{L}\p{N}]/u.test(character))
    throw cursor.fault(`Unknown escape \\${character}`);
  cursor.take();
  return set ? { set } : literal(control ?? character);
}

function readProperty(cursor: Cursor, ignoresCase: boolean): CharacterSet {
  const isNegated = cursor.peek() === 'P';
  const found = cursor.match(/^[pP]\{(\w+)\}/, PROPERTY_LENGTH_MAX);
  const set = found && findUnicodeSet(found[1] ?? '', ignoresCase);
  if (!set)
    throw cursor.fault('\\p takes a general category or a script in braces, as in \\p{L} or \\p{Greek}');
  cursor.skip(found[0]);
  return isNegated ? not(set) : set;
}

/** Reads a class from after its `[` to its `]`. @throws PatternError */
export function readClass(cursor: Cursor, ignoresCase: boolean): { set: CharacterSet; isNegated: boolean } {
  const isNegated = cursor.skip('^');
  const sets: CharacterSet[] = [];
  while (!cursor.skip(']')) {
    if (cursor.isAtEnd) throw cursor.fault('Unclosed [');
    if (cursor.peek() === '[' && cursor.peek(1) === ':')
      throw cursor.fault('Named classes such as [:alpha:] are not supported');
    sets.push(readRange(cursor, ignoresCase));
  }
  if (sets.length === 0) throw cursor.fault('Empty class []');
  return { set: union(sets), isNegated };
}

function readRange(cursor: Cursor, ignoresCase: boolean): CharacterSet {
  const first = readMember(cursor, ignoresCase);
  if (cursor.peek() !== '-' || cursor.peek(1) === ']' || cursor.peek(1) === undefined) return first.set;
  if (first.codePoint === undefined) throw cursor.fault('A range must begin with a single character');
  cursor.take();
  const last = readMember(cursor, ignoresCase);
  if (last.codePoint === undefined || last.codePoint < first.codePoint)
    throw cursor.fault('A range must end with a single character that is not before its first one');
  return rangeOf(first.codePoint, last.codePoint);
}

function readMember(cursor: Cursor, ignoresCase: boolean): ClassMember {
  const character = cursor.take();
  return character === '\\' ? readEscape(cursor, ignoresCase) : literal(character);
}
