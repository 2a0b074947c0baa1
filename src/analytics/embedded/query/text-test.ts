import { toPatternTest } from '../../../patterns/compiled.ts';
import type { FilterOperator } from '../../../vocabulary/analytics.ts';
import { toWildcardTest } from './wildcard.ts';

const COMPILERS: { [Operator in FilterOperator]?: (pattern: string) => (text: string) => boolean } = {
  like: toWildcardTest,
  like_not: toWildcardTest,
  matches: toPatternTest,
  matches_not: toPatternTest,
};

/** Compiles a leaf of a filter into a test of texts. The empty text stands for absent. */
export function toTextTest(
  operator: FilterOperator,
  values: readonly string[],
  ignoresCase: boolean,
): (text: string) => boolean {
  if (ignoresCase) {
    const lower = values.map((value) => value.toLowerCase());
    const test = toTextTest(operator, lower, false);
    return (text) => test(text.toLowerCase());
  }
  const lower = values.map((value) => value.toLowerCase());
  const exact = new Set(values);
  const toTest = COMPILERS[operator];
  const patterns = toTest ? values.map(toTest) : [];
  const tests: Record<FilterOperator, (text: string) => boolean> = {
    is: (text) => exact.has(text),
    is_not: (text) => !exact.has(text),
    contains: (text) => someOf(lower, text, (own, value) => own.includes(value)),
    contains_not: (text) => !someOf(lower, text, (own, value) => own.includes(value)),
    starts_with: (text) => someOf(lower, text, (own, value) => own.startsWith(value)),
    ends_with: (text) => someOf(lower, text, (own, value) => own.endsWith(value)),
    like: (text) => patterns.some((isAlike) => isAlike(text)),
    like_not: (text) => !patterns.some((isAlike) => isAlike(text)),
    matches: (text) => patterns.some((isAlike) => isAlike(text)),
    matches_not: (text) => !patterns.some((isAlike) => isAlike(text)),
  };
  return tests[operator];
}

function someOf(
  values: readonly string[],
  text: string,
  test: (own: string, value: string) => boolean,
): boolean {
  const own = text.toLowerCase();
  return values.some((value) => test(own, value));
}

/** Whether an operator compares whole texts, so that a dictionary can look values up instead of testing every text. */
export function isExact(operator: FilterOperator): boolean {
  return operator === 'is' || operator === 'is_not';
}
