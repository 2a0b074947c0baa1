import type { CharacterSet } from './character-set.ts';

/** General categories (Unicode 5.7.1) except Cn, which RE2 does not know. */
const CATEGORY = /^(C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
const SCRIPT = /^[A-Z][A-Za-z_]{2,}$/;

/**
 * Returns the characters of a general category (`Lu`) or a script (`Greek`), under the names that RE2 knows; undefined for
 * any other name. The runtime's regular expressions decide which characters these are.
 */
export function findUnicodeSet(name: string, ignoresCase: boolean): CharacterSet | undefined {
  const property = toProperty(name);
  if (property === undefined) return undefined;
  try {
    const expression = new RegExp(`^${property}$`, ignoresCase ? 'iu' : 'u');
    return (codePoint) => expression.test(String.fromCodePoint(codePoint));
  } catch {
    return undefined; // a script that the runtime does not know
  }
}

function toProperty(name: string): string | undefined {
  if (name === 'C') return '[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}]'; // without Cn, as in RE2
  if (CATEGORY.test(name)) return `\\p{${name}}`;
  return SCRIPT.test(name) ? `\\p{Script=${name}}` : undefined;
}
