import { SETTINGS } from './config.ts';
import { SECRETS } from './secret-files.ts';

const KNOWN = [...Object.keys(SETTINGS), ...SECRETS.map((name) => `${name}_FILE`)];
const PREFIXES = new Set(KNOWN.filter((name) => name.includes('_')).map(toPrefix));
/** Changed letters of a name that is taken for a misspelled setting. */
const TYPOS_MAX = 2;
/** Below it, two letters make any name of another one. */
const TYPO_LENGTH_MIN = 7;

/** Sentences about variables that look like settings and are none, each with the nearest name. */
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

/** Letters to insert, remove or replace (Levenshtein). */
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
