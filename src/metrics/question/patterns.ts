import { findPatternFault } from '../../patterns/pattern.ts';

/** What is wrong with the values of `matches`. */
export function findPatternsFault(patterns: readonly string[]): string | undefined {
  const fault = patterns.map(findPatternFault).find(Boolean);
  return fault && `Is no regular expression: ${fault}`;
}
