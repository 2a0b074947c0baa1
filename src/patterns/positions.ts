import { PATTERN_POSITIONS_MAX } from '../vocabulary/contract.ts';
import type { CharacterSet } from './character-set.ts';
import { PatternError, type PatternNode } from './parse.ts';

/** A place of a pattern at which one character is read; the begin and the end of a text are read like characters. */
export type Position = { set: CharacterSet; isNegated: boolean } | 'begin' | 'end';

/** Glushkov's automaton: a text is read by going from position to position. */
export type Positions = {
  sets: Position[];
  /** Of each position, those that may come next. */
  follow: Set<number>[];
  /** Those with which a match may begin, and end. */
  first: Set<number>;
  last: Set<number>;
  /** Nothing matches too. */
  isNullable: boolean;
};

type Part = Pick<Positions, 'first' | 'last' | 'isNullable'>;

/** Parts of a pattern with all that is repeated: as many as there may be positions, and empty ones beside them. */
const PARTS_MAX = 16 * PATTERN_POSITIONS_MAX;

/** @throws PatternError when it would have too many */
export function toPositions(node: PatternNode): Positions {
  const sets: Position[] = [];
  const follow: Set<number>[] = [];
  let parts = 0;
  return { sets, follow, ...build(node) };

  function build(of: PatternNode): Part {
    parts += 1;
    if (parts > PARTS_MAX) throw tooLong();
    switch (of.kind) {
      case 'set':
        return add({ set: of.set, isNegated: of.isNegated === true });
      case 'begin':
      case 'end':
        return add(of.kind);
      case 'choice':
        return of.nodes.map(build).reduce(either);
      case 'sequence':
        return of.nodes.reduce((before: Part, next) => join(before, build(next)), NOTHING);
      case 'repeat':
        return repeat(of);
    }
  }

  function add(position: Position): Part {
    if (sets.length === PATTERN_POSITIONS_MAX) throw tooLong();
    const own = new Set([sets.push(position) - 1]);
    follow.push(new Set());
    return { first: own, last: own, isNullable: false };
  }

  function join(before: Part, next: Part): Part {
    for (const end of before.last) for (const begin of next.first) follow[end]?.add(begin);
    return {
      first: before.isNullable ? before.first.union(next.first) : before.first,
      last: next.isNullable ? next.last.union(before.last) : next.last,
      isNullable: before.isNullable && next.isNullable,
    };
  }

  /** Each time is a part of its own; what may come any number of times goes back to its own begin. */
  function repeat({ node, min, max }: PatternNode & { kind: 'repeat' }): Part {
    let all: Part = NOTHING;
    for (let time = 0; time < min; time += 1) all = join(all, build(node));
    if (max !== Number.POSITIVE_INFINITY) {
      for (let time = min; time < max; time += 1) all = join(all, { ...build(node), isNullable: true });
      return all;
    }
    const more = build(node);
    join(more, more);
    return join(all, { ...more, isNullable: true });
  }
}

const NOTHING: Part = { first: new Set(), last: new Set(), isNullable: true };

function either(one: Part, other: Part): Part {
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
