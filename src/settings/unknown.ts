import { SECRETS, SETTINGS } from './config.ts';

const KNOWN = [...Object.keys(SETTINGS), ...SECRETS.map((name) => `${name}_FILE`)];
const PREFIXES = new Set(KNOWN.filter((name) => name.includes('_')).map(toPrefix));
/** Maximum edit distance at which a name counts as a misspelled setting. */
const TYPOS_MAX = 2;
/** Minimum length of a misspelled name: two edits turn shorter names into unrelated ones. */
const TYPO_LENGTH_MIN = 7;

/** Returns a sentence with the nearest name for each variable that looks like a setting but is not one. */
export function findUnknownSettings(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment)
    .filter((name) => !KNOWN.includes(name))
    .flatMap((name) => {
      const [nearest] = KNOWN.map((known) => ({ known, typos: distance(name, known) })).toSorted(
        (one, other) => one.typos - other.typos,
      );
      if (!nearest) return [];
      const isTypo = nearest.typos <= TYPOS_MAX && name.length >= TYPO_LENGTH_MIN;
      if (!isTypo && !PREFIXES.has(toPrefix(name))) return [];
      return [`${name} is not a setting, so it has no effect. Did you mean ${nearest.known}?`];
    });
}

/** `LIMIT_` of LIMIT_API_PER_S. */
function toPrefix(name: string): string {
  return name.slice(0, name.indexOf('_') + 1);
}

/** Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, otherLetter] of [...other].entries())
      next.push(
        Math.min(
          (row[at] ?? 0) + Number(letter !== otherLetter),
          (row[at + 1] ?? 0) + 1,
          (next[at] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
