import { type IntegerOptions, Type } from '@sinclair/typebox';
import { t } from 'elysia';

/**
 * Elysia's own Integer and UnionEnum carry a default, which it then fills in for a field that is absent, and Integer
 * takes text as well. These two are strict.
 */

/** A string out of a closed list. */
export function choice<const Value extends string>(values: readonly Value[], options: object = {}) {
  return t.Unsafe<Value>(t.String({ ...options, enum: [...values], pattern: `^(${values.join('|')})$` }));
}

export function integer(options: IntegerOptions = {}) {
  return Type.Integer(options);
}

/** A whole number in a query: arrives as text and is checked by hand; described as the number that it must be. */
export function integerText(options: IntegerOptions = {}) {
  return t.Unsafe<string>(t.Any({ ...options, type: 'integer' }));
}

const NOT_PLAIN = { 'x-messages': { pattern: 'Must not hold control characters' } };
/** Options of a text without control characters: NUL would cut it short in the database. */
export const PLAIN = { pattern: '^[^\\u0000-\\u001f\\u007f]*$', ...NOT_PLAIN };
/** Likewise, but line breaks and tabs are welcome. */
export const PLAIN_LINES = {
  pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
  ...NOT_PLAIN,
};
