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
