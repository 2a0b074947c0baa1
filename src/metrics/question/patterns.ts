import { judgePattern } from '../../patterns/compiled.ts';

/** Returns what is wrong with the values of `matches`. */
export function findPatternsFault(patterns: readonly string[]): string | undefined {
  const fault = patterns.map(judgePattern).find(Boolean);
  return fault && `Not a regular expression: ${fault}`;
}
