import { type IntegerOptions, Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { NAME_LENGTH_MAX } from '../vocabulary/contract.ts';

/**
 * Strict replacements of Elysia's Integer and UnionEnum, which have a default that is filled in for absent fields; Integer
 * also accepts text.
 */

/** A string from a closed list. */
export function choice<const Value extends string>(values: readonly Value[], options: object = {}) {
  return t.Unsafe<Value>(t.String({ ...options, enum: [...values], pattern: `^(${values.join('|')})$` }));
}

export function integer(options: IntegerOptions = {}) {
  return Type.Integer(options);
}

/** An integer in a query: it arrives as text and is parsed by hand, but documented as an integer. */
export function integerText(options: IntegerOptions = {}) {
  return t.Unsafe<string>(t.Any({ ...options, type: 'integer' }));
}

const NOT_PLAIN = { 'x-messages': { pattern: 'Must not hold control characters' } };
/** Options of a text without control characters: NUL would truncate it in the database. */
export const PLAIN = { pattern: '^[^\\u0000-\\u001f\\u007f]*$', ...NOT_PLAIN };
/** Options of a text without control characters, except line breaks and tabs. */
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

/** Name that the owner gives a resource. */
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
