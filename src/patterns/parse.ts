import { type CharacterSet, escapedSet, not, rangeOf, union } from './character-set.ts';

/** What a pattern is made of. */
export type PatternNode =
  /** One character: of the set, or with `isNegated` none of it. */
  | { kind: 'set'; set: CharacterSet; isNegated?: boolean }
  /** Of the text. */
  | { kind: 'begin' | 'end' }
  | { kind: 'sequence' | 'choice'; nodes: PatternNode[] }
  | { kind: 'repeat'; node: PatternNode; min: number; max: number };

/** Why a text is no pattern: a sentence without its end. */
export class PatternError extends Error {}

const DEPTH_MAX = 30;
const REPEATS_MAX = 256;
const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

export type ParsedPattern = { node: PatternNode; ignoresCase: boolean };

/** @throws PatternError */
export function parsePattern(pattern: string): ParsedPattern {
  const ignoresCase = pattern.startsWith('(?i)');
  const characters = [...pattern];
  let at = ignoresCase ? 4 : 0;
  const node = readChoice(0);
  if (at < characters.length) throw fault('There is a ) without its (');
  checkAnchors(node, true, true);
  return { node, ignoresCase };

  function fault(sentence: string): PatternError {
    return new PatternError(`${sentence}, at character ${at + 1}`);
  }

  function readChoice(depth: number): PatternNode {
    if (depth > DEPTH_MAX) throw fault(`Groups are nested more than ${DEPTH_MAX} deep`);
    const nodes = [readSequence(depth)];
    while (characters[at] === '|') {
      at += 1;
      nodes.push(readSequence(depth));
    }
    return nodes.length === 1 ? (nodes[0] as PatternNode) : { kind: 'choice', nodes };
  }

  function readSequence(depth: number): PatternNode {
    const nodes: PatternNode[] = [];
    while (at < characters.length && characters[at] !== '|' && characters[at] !== ')')
      nodes.push(readRepeats(readAtom(depth)));
    return { kind: 'sequence', nodes };
  }

  function readAtom(depth: number): PatternNode {
    const character = characters[at] as string; // there is one
    if ('*+?'.includes(character)) throw fault(`There is nothing that ${character} repeats`);
    at += 1;
    if (character === '^') return { kind: 'begin' };
    if (character === '$') return { kind: 'end' };
    if (character === '.') return { kind: 'set', set: not(rangeOf('\n')) };
    if (character === '[') return { kind: 'set', ...readClass() };
    if (character === '\\') return { kind: 'set', set: readEscape() };
    return character === '(' ? readGroup(depth) : { kind: 'set', set: rangeOf(character) };
  }

  function readGroup(depth: number): PatternNode {
    if (characters[at] === '?') {
      if (characters[at + 1] !== ':')
        throw fault('After (? only : is known, and (?i) at the beginning of the pattern');
      at += 2;
    }
    const node = readChoice(depth + 1);
    if (characters[at] !== ')') throw fault('There is a ( without its )');
    at += 1;
    return node;
  }

  function readRepeats(node: PatternNode): PatternNode {
    const repeat = readRepeat();
    if (!repeat) return node;
    if (characters[at] === '?') at += 1; // as few as possible: the same texts match
    if (readRepeat()) throw fault('What is repeated is repeated again');
    return { kind: 'repeat', node, ...repeat };
  }

  function readRepeat(): { min: number; max: number } | undefined {
    const sign = characters[at];
    const simple = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[sign ?? ''];
    if (simple) {
      at += 1;
      return { min: simple[0] ?? 0, max: simple[1] ?? 0 };
    }
    if (sign !== '{') return undefined;
    const found = /^\{(\d+)(,(\d*))?\}/.exec(characters.slice(at).join(''));
    if (!found) return undefined; // a brace is one
    const [whole, least = '', hasMost, most] = found;
    const min = Number(least);
    const max = hasMost === undefined ? min : most ? Number(most) : Number.POSITIVE_INFINITY;
    if (max < min) throw fault('A repetition ends below its beginning');
    if (min > REPEATS_MAX || (max > REPEATS_MAX && max !== Number.POSITIVE_INFINITY))
      throw fault(`A repetition is of at most ${REPEATS_MAX} times`);
    at += whole.length;
    return { min, max };
  }

  function readEscape(): CharacterSet {
    const character = characters[at];
    if (character === undefined) throw fault('There is nothing after the last \\');
    const set = escapedSet(character);
    const control = CONTROLS[character];
    if (!set && control === undefined && /[\p{L}\p{N}]/u.test(character))
      throw fault(`\\${character} is not known`);
    at += 1;
    return set ?? rangeOf(control ?? character);
  }

  function readClass(): { set: CharacterSet; isNegated: boolean } {
    const isNegated = characters[at] === '^';
    if (isNegated) at += 1;
    const sets: CharacterSet[] = [];
    for (;;) {
      const character = characters[at];
      if (character === undefined) throw fault('There is a [ without its ]');
      if (character === ']') break;
      if (character === '[' && characters[at + 1] === ':') throw fault('[: is not known');
      sets.push(readRange());
    }
    if (sets.length === 0) throw fault('There is nothing between [ and ]');
    at += 1;
    return { set: union(sets), isNegated };
  }

  function readRange(): CharacterSet {
    const first = readOne();
    if (characters[at] !== '-' || characters[at + 1] === ']' || characters[at + 1] === undefined)
      return first.set;
    if (first.character === undefined) throw fault('A range begins with one character');
    at += 1;
    const last = readOne();
    if (last.character === undefined || last.character < first.character)
      throw fault('A range ends with a character that is not before its first one');
    return rangeOf(String.fromCodePoint(first.character), String.fromCodePoint(last.character));
  }

  /** `character`: its code point, unless several are meant. */
  function readOne(): { set: CharacterSet; character: number | undefined } {
    const character = characters[at] as string; // there is one
    at += 1;
    if (character !== '\\') return { set: rangeOf(character), character: character.codePointAt(0) };
    const set = readEscape();
    const [only, ...others] = set;
    return { set, character: only && others.length === 0 && only[0] === only[1] ? only[0] : undefined };
  }
}

/** The begin of a text can only come first, and its end last: elsewhere nothing would ever match. */
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
