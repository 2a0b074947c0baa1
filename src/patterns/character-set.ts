/** A set of code points, as a test. */
export type CharacterSet = (codePoint: number) => boolean;

export function rangeOf(first: number, last = first): CharacterSet {
  return (codePoint) => codePoint >= first && codePoint <= last;
}

export function union(sets: readonly CharacterSet[]): CharacterSet {
  const [only, ...others] = sets;
  if (only && others.length === 0) return only;
  return (codePoint) => sets.some((has) => has(codePoint));
}

export function not(has: CharacterSet): CharacterSet {
  return (codePoint) => !has(codePoint);
}

function charactersOf(characters: string): CharacterSet {
  return union([...characters].map((character) => rangeOf(character.charCodeAt(0))));
}

const DIGITS = rangeOf(0x30, 0x39);
export const WORD_CHARACTERS = union([DIGITS, rangeOf(0x41, 0x5a), rangeOf(0x61, 0x7a), charactersOf('_')]);
const SPACES = charactersOf('\t\n\f\r ');

/** Sets by the letter after a backslash. */
export const ESCAPED_SETS: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', DIGITS],
  ['D', not(DIGITS)],
  ['w', WORD_CHARACTERS],
  ['W', not(WORD_CHARACTERS)],
  ['s', SPACES],
  ['S', not(SPACES)],
]);
