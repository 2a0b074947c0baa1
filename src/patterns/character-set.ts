/** Code points, in ascending ranges that do not touch; both ends are in them. */
export type CharacterSet = readonly (readonly [first: number, last: number])[];

const LAST = 0x10ffff;

export function rangeOf(first: string, last = first): CharacterSet {
  return [[first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0]];
}

export function union(sets: readonly CharacterSet[]): CharacterSet {
  const merged: [number, number][] = [];
  for (const [first, last] of sets.flat().toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function not(set: CharacterSet): CharacterSet {
  const left: [number, number][] = [];
  let from = 0;
  for (const [first, last] of union([set])) {
    if (first > from) left.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= LAST) left.push([from, LAST]);
  return left;
}

export function contains(set: CharacterSet, codePoint: number): boolean {
  return set.some(([first, last]) => codePoint >= first && codePoint <= last);
}

const DIGITS = rangeOf('0', '9');
const WORDS = union([DIGITS, rangeOf('A', 'Z'), rangeOf('a', 'z'), rangeOf('_')]);
const SPACES = union(['\t', '\n', '\f', '\r', ' '].map((space) => rangeOf(space)));
const ESCAPED: Record<string, CharacterSet> = {
  d: DIGITS,
  D: not(DIGITS),
  w: WORDS,
  W: not(WORDS),
  s: SPACES,
  S: not(SPACES),
};

/** What `\d` and the like stand for. */
export function escapedSet(letter: string): CharacterSet | undefined {
  return Object.hasOwn(ESCAPED, letter) ? ESCAPED[letter] : undefined;
}
