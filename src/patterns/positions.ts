import { PATTERN_POSITIONS_MAX } from '../vocabulary/contract.ts';
import type { CharacterSet } from './character-set.ts';
import { PatternError } from './cursor.ts';
import type { PatternNode } from './parse.ts';

/** A position of a pattern that reads one character. The begin and end of a text are read like characters. */
export type Position = { set: CharacterSet; isNegated: boolean } | 'begin' | 'end';

/** Glushkov's automaton: reading a text moves from position to position. */
export type Positions = {
  positions: Position[];
  /** Ways between positions where two characters meet that are not at a word boundary. */
  inside: Ways;
  /** Ways at a word boundary: the same unless the pattern has `\b` or `\B`. */
  atBoundary: Ways;
};

export type Ways = {
  /** Possible next positions of each position. */
  follow: Set<number>[];
  /** Positions where a match may begin, and end. */
  first: Set<number>;
  last: Set<number>;
  /** Whether the pattern also matches the empty text. */
  isNullable: boolean;
};

type Piece = Omit<Ways, 'follow'>;

/** Maximum parts of a pattern with its repetitions written out: each position is a part, and some parts are empty. */
const PARTS_MAX = 16 * PATTERN_POSITIONS_MAX;

/** @throws PatternError when there are too many */
export function toPositions(node: PatternNode): Positions {
  const { positions, ...inside } = build(node, false);
  const atBoundary = hasBoundary(node) ? build(node, true) : inside;
  return { positions, inside, atBoundary };
}

function hasBoundary(node: PatternNode): boolean {
  if (node.kind === 'repeat') return hasBoundary(node.node);
  return 'nodes' in node ? node.nodes.some(hasBoundary) : node.kind === 'boundary';
}

/** Builds the ways for places between characters that all are word boundaries, or all are not. */
function build(root: PatternNode, isAtBoundary: boolean): Ways & { positions: Position[] } {
  const positions: Position[] = [];
  const follow: Set<number>[] = [];
  let parts = 0;
  return { positions, follow, ...toPiece(root) };

  function toPiece(node: PatternNode): Piece {
    parts += 1;
    if (parts > PARTS_MAX) throw tooLong();
    switch (node.kind) {
      case 'set':
        return add({ set: node.set, isNegated: node.isNegated === true });
      case 'begin':
      case 'end':
        return add(node.kind);
      case 'boundary':
        return node.isNegated === isAtBoundary ? IMPOSSIBLE : NOTHING;
      case 'choice':
        return node.nodes.map(toPiece).reduce(either);
      case 'sequence':
        return node.nodes.reduce((before: Piece, next) => join(before, toPiece(next)), NOTHING);
      case 'repeat':
        return repeat(node);
    }
  }

  function add(position: Position): Piece {
    if (positions.length === PATTERN_POSITIONS_MAX) throw tooLong();
    const own = new Set([positions.push(position) - 1]);
    follow.push(new Set());
    return { first: own, last: own, isNullable: false };
  }

  function join(before: Piece, next: Piece): Piece {
    for (const end of before.last) for (const begin of next.first) follow[end]?.add(begin);
    return {
      first: before.isNullable ? before.first.union(next.first) : before.first,
      last: next.isNullable ? next.last.union(before.last) : next.last,
      isNullable: before.isNullable && next.isNullable,
    };
  }

  /** Writes each repetition out; an unbounded one loops back to its begin. */
  function repeat({ node, min, max }: PatternNode & { kind: 'repeat' }): Piece {
    let all: Piece = NOTHING;
    for (let time = 0; time < min; time += 1) all = join(all, toPiece(node));
    if (max !== Number.POSITIVE_INFINITY) {
      for (let time = min; time < max; time += 1) all = join(all, { ...toPiece(node), isNullable: true });
      return all;
    }
    const more = toPiece(node);
    join(more, more);
    return join(all, { ...more, isNullable: true });
  }
}

const NOTHING: Piece = { first: new Set(), last: new Set(), isNullable: true };
const IMPOSSIBLE: Piece = { first: new Set(), last: new Set(), isNullable: false };

function either(one: Piece, other: Piece): Piece {
  return {
    first: one.first.union(other.first),
    last: one.last.union(other.last),
    isNullable: one.isNullable || other.isNullable,
  };
}

function tooLong(): PatternError {
  return new PatternError(
    `Has more than ${PATTERN_POSITIONS_MAX} characters, those that are repeated counted as often as they are`,
  );
}
