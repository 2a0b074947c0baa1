import { type IntegerOptions, Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { NAME_LENGTH_MAX } from '../vocabulary/contract.ts';

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

/** An instant as answers have it: ISO 8601. */
export function instant(description: string) {
  return t.String({ format: 'date-time', description });
}

export function count(description: string) {
  return integer({ minimum: 0, description });
}

export const opaqueId = t.String({ description: 'Opaque identifier.' });

/** What its owner calls a resource. */
export function nameOf(description: string, example: string) {
  return t.String({
    ...PLAIN,
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    description,
    examples: [example],
  });
}

/** When a resource was made and last changed. */
export const timestamps = {
  createdAt: instant('UTC, with milliseconds.'),
  updatedAt: instant('UTC, with milliseconds. Grows with every change.'),
};
