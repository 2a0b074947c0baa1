import { createTextCache } from '../process/text-cache.ts';
import { compilePattern, findPatternFault } from './pattern.ts';

/** Bound of cached patterns: a long one takes up to 1 MB and 5 ms to compile, and a question has ten. */
const COMPILED_BYTES_MAX = 8 * 1024 * 1024;
const JUDGED_BYTES_MAX = 256 * 1024;

const compiled = createTextCache(compilePattern, {
  bytesMax: COMPILED_BYTES_MAX,
  bytesOf: ({ bytes }) => bytes,
});
const judged = createTextCache(findPatternFault, { bytesMax: JUDGED_BYTES_MAX });

/** Returns the test of a pattern, compiled once while in use. @throws PatternError */
export function toPatternTest(pattern: string): (text: string) => boolean {
  return compiled(pattern).test;
}

/** Returns why a text is not a pattern, cached while in use; undefined when it is one. */
export function judgePattern(pattern: string): string | undefined {
  return judged(pattern);
}
