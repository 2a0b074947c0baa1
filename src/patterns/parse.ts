import { type CharacterSet, not, rangeOf } from './character-set.ts';
import { Cursor, PatternError } from './cursor.ts';
import { literal, readClass, readEscape } from './parse-class.ts';

/** The syntax tree of a pattern. */
export type PatternNode =
  /** One character of the set, or outside it with `isNegated`. */
  | { kind: 'set'; set: CharacterSet; isNegated?: boolean }
  /** The begin or the end of the text. */
  | { kind: 'begin' | 'end' }
  /** A position between a word character and another one (or none), or with `isNegated` any other position. */
  | { kind: 'boundary'; isNegated: boolean }
  | { kind: 'sequence' | 'choice'; nodes: PatternNode[] }
  | { kind: 'repeat'; node: PatternNode; min: number; max: number };

const DEPTH_MAX = 30;
const REPEATS_MAX = 256;
const REPEAT_LENGTH_MAX = 300;
const IGNORES_CASE = '(?i)';
const LINE_FEED = 0x0a;

export type ParsedPattern = { node: PatternNode; ignoresCase: boolean };

/** @throws PatternError */
export function parsePattern(pattern: string): ParsedPattern {
  const ignoresCase = pattern.startsWith(IGNORES_CASE);
  const cursor = new Cursor(pattern, ignoresCase ? IGNORES_CASE.length : 0);
  const node = readChoice(cursor, { ignoresCase, depth: 0 });
  if (!cursor.isAtEnd) throw cursor.fault('Unmatched )');
  checkAnchors(node, true, true);
  return { node, ignoresCase };
}

type Context = { ignoresCase: boolean; depth: number };

function readChoice(cursor: Cursor, context: Context): PatternNode {
  if (context.depth > DEPTH_MAX) throw cursor.fault(`Groups are nested more than ${DEPTH_MAX} deep`);
  const first = readSequence(cursor, context);
  if (cursor.peek() !== '|') return first;
  const nodes = [first];
  while (cursor.skip('|')) nodes.push(readSequence(cursor, context));
  return { kind: 'choice', nodes };
}

function readSequence(cursor: Cursor, context: Context): PatternNode {
  const nodes: PatternNode[] = [];
  while (!cursor.isAtEnd && cursor.peek() !== '|' && cursor.peek() !== ')')
    nodes.push(readRepeats(cursor, readAtom(cursor, context)));
  return { kind: 'sequence', nodes };
}

function readAtom(cursor: Cursor, context: Context): PatternNode {
  const sign = cursor.peek() ?? '';
  if ('*+?'.includes(sign)) throw cursor.fault(`Nothing stands before ${sign}`);
  switch (cursor.take()) {
    case '^':
      return { kind: 'begin' };
    case '$':
      return { kind: 'end' };
    case '.':
      return { kind: 'set', set: not(rangeOf(LINE_FEED)) };
    case '[':
      return { kind: 'set', ...readClass(cursor, context.ignoresCase) };
    case '(':
      return readGroup(cursor, context);
    case '\\':
      if (cursor.skip('b')) return { kind: 'boundary', isNegated: false };
      if (cursor.skip('B')) return { kind: 'boundary', isNegated: true };
      return { kind: 'set', set: readEscape(cursor, context.ignoresCase).set };
    default:
      return { kind: 'set', set: literal(sign).set };
  }
}

function readGroup(cursor: Cursor, { ignoresCase, depth }: Context): PatternNode {
  if (cursor.peek() === '?' && !cursor.skip('?:'))
    throw cursor.fault('After (? only : is supported, and (?i) at the beginning of the pattern');
  const node = readChoice(cursor, { ignoresCase, depth: depth + 1 });
  if (!cursor.skip(')')) throw cursor.fault('Unclosed (');
  return node;
}

function readRepeats(cursor: Cursor, node: PatternNode): PatternNode {
  const repeat = readRepeat(cursor);
  if (!repeat) return node;
  cursor.skip('?'); // as few as possible: the same texts match
  if (readRepeat(cursor)) throw cursor.fault('A repetition is repeated again');
  return { kind: 'repeat', node, ...repeat };
}

function readRepeat(cursor: Cursor): { min: number; max: number } | undefined {
  if (cursor.skip('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (cursor.skip('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (cursor.skip('?')) return { min: 0, max: 1 };
  const found = cursor.peek() === '{' && cursor.match(/^\{(\d+)(,(\d*))?\}/, REPEAT_LENGTH_MAX);
  if (!found) return undefined; // a single brace is a literal
  const [whole, least, hasMost, most] = found;
  const min = Number(least);
  const max = hasMost === undefined ? min : most ? Number(most) : Number.POSITIVE_INFINITY;
  if (max < min) throw cursor.fault('A repetition ends below its beginning');
  if (min > REPEATS_MAX || (max > REPEATS_MAX && max !== Number.POSITIVE_INFINITY))
    throw cursor.fault(`A repetition is of at most ${REPEATS_MAX} times`);
  cursor.skip(whole);
  return { min, max };
}

/** Rejects ^ after and $ before other characters, where they would never match. */
function checkAnchors(node: PatternNode, isFirst: boolean, isLast: boolean): void {
  if (node.kind === 'begin' && !isFirst) throw new PatternError('^ stands only where a text can begin');
  if (node.kind === 'end' && !isLast) throw new PatternError('$ stands only where a text can end');
  if (node.kind === 'repeat') checkAnchors(node.node, isFirst, isLast);
  if (node.kind === 'choice') for (const one of node.nodes) checkAnchors(one, isFirst, isLast);
  if (node.kind !== 'sequence') return;
  node.nodes.forEach((one, index) => {
    checkAnchors(one, isFirst && index === 0, isLast && index === node.nodes.length - 1);
  });
}
