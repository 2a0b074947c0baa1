const SLASH = '/'.charCodeAt(0);
const WORD_BITS = 32;

/**
 * Tests texts against a pattern: `*` matches any text without a slash, also none, and `**` matches any text. State n means
 * that n characters of the pattern are matched. All states are followed at once, 32 to a word, so a text is read once
 * regardless of the stars.
 */
export function toWildcardTest(pattern: string): (text: string) => boolean {
  const { letters, stars } = parse(pattern);
  const { length } = letters;
  const words = Math.ceil((length + 1) / WORD_BITS);
  const after = new Map<string, Uint32Array>();
  for (const [index, letter] of letters.entries()) setBit(wordsOf(after, letter, words), index);
  const stay = new Uint32Array(words);
  const stayAtSlash = new Uint32Array(words);
  for (const [index, star] of stars) {
    setBit(stay, index);
    if (star.length > 1) setBit(stayAtSlash, index);
  }
  const states = new Uint32Array(words);
  return (text) => {
    states.fill(0);
    states[0] = 1;
    for (let index = 0; index < text.length; index += 1) {
      const loops = text.charCodeAt(index) === SLASH ? stayAtSlash : stay;
      if (!advance(states, after.get(text.charAt(index)), loops)) return false;
    }
    return (((states[length >>> 5] ?? 0) >>> (length & 31)) & 1) === 1;
  };
}

/** Returns the characters of a pattern without its stars, and the stars before each, by index. */
function parse(pattern: string): { letters: string[]; stars: Map<number, string> } {
  const letters: string[] = [];
  const stars = new Map<number, string>();
  for (const [part = ''] of pattern.matchAll(/\*+|[^*]/gs))
    if (part.startsWith('*')) stars.set(letters.length, part);
    else letters.push(...part.split('')); // UTF-16 units, as in the texts
  return { letters, stars };
}

/** @returns false when no state is left */
function advance(states: Uint32Array, letters: Uint32Array | undefined, loops: Uint32Array): boolean {
  let carry = 0;
  let left = 0;
  for (let word = 0; word < states.length; word += 1) {
    const own = states[word] as number;
    const moved = letters === undefined ? 0 : own & (letters[word] as number);
    const next = (moved << 1) | carry | (own & (loops[word] as number));
    carry = moved >>> 31;
    states[word] = next;
    left |= next;
  }
  return left !== 0;
}

function wordsOf(after: Map<string, Uint32Array>, letter: string, words: number): Uint32Array {
  const known = after.get(letter) ?? new Uint32Array(words);
  after.set(letter, known);
  return known;
}

function setBit(words: Uint32Array, index: number): void {
  words[index >>> 5] = (words[index >>> 5] ?? 0) | (1 << (index & 31));
}
