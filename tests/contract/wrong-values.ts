import type { Schema } from '../../src/assets/openapi/shapes.ts';

/** A value that a schema does not take, and the sentence that says so when the field has none of its own. */
export type WrongValue = { name: string; value?: unknown; sentence?: string };

const NO_VALUE = 'nonsense\u0000';

/** Values that a schema must refuse: another type, beyond each bound, outside of a list, of another form. */
export function* wrongValues(schema: Schema): Generator<WrongValue> {
  const { type, anyOf, pattern, additionalProperties } = schema;
  if (anyOf) {
    yield { name: 'of another type', value: true };
    return;
  }
  const types = [type ?? []].flat();
  if (types.length === 0) return;
  const [first = ''] = types;
  const sentence = schema.enum ? undefined : `Must be ${NAMES[first]}`;
  yield {
    name: 'of another type',
    value: first === 'string' ? 5 : 'nonsense',
    ...(sentence && { sentence }),
  };
  if (!types.includes('null')) yield { name: 'null', value: null, ...(sentence && { sentence }) };
  if (schema.enum)
    yield { name: 'unknown', value: 'nonsense', sentence: `Must be one of: ${listed(schema)}` };
  else if (pattern && !new RegExp(pattern).test(NO_VALUE)) yield { name: 'of another form', value: NO_VALUE };
  yield* wrongSizes(schema);
  if (first === 'integer') yield { name: 'a fraction', value: 1.5, sentence: 'Must be a whole number' };
  if (schema.items) yield* wrongItems(schema, schema.items);
  for (const [member, own] of Object.entries(schema.properties ?? {}))
    for (const { name, value } of wrongValues(own))
      yield { name: `with ${member} ${name}`, value: { [member]: value } };
  if (additionalProperties === false) yield { name: 'with an unknown member', value: { nonsense: 1 } };
}

function* wrongSizes(schema: Schema): Generator<WrongValue> {
  const { minLength = 0, maxLength, minimum, maximum, examples } = schema;
  const example = String(examples?.[0] ?? '');
  if (minLength > 0)
    yield {
      name: 'too short',
      value: 'X'.repeat(minLength - 1),
      sentence: minLength === 1 ? 'Must not be empty' : `Must be at least ${minLength} characters`,
    };
  if (maxLength !== undefined)
    yield {
      name: 'too long',
      value: example.padEnd(maxLength + 1, 'x'),
      sentence: `Must be at most ${maxLength} characters`,
    };
  if (minimum !== undefined)
    yield { name: 'too small', value: minimum - 1, sentence: `Must be at least ${minimum}` };
  if (maximum !== undefined)
    yield { name: 'too large', value: maximum + 1, sentence: `Must be at most ${maximum}` };
}

function* wrongItems({ minItems = 0, maxItems, uniqueItems }: Schema, items: Schema): Generator<WrongValue> {
  const item = items.enum?.[0] ?? items.examples?.[0] ?? 'x';
  if (minItems > 0)
    yield {
      name: 'too few',
      value: new Array(minItems - 1).fill(item),
      sentence: `Must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`,
    };
  if (maxItems !== undefined)
    yield {
      name: 'too many',
      value: new Array(maxItems + 1).fill(item),
      sentence: `Must have at most ${maxItems} entries`,
    };
  if (uniqueItems) yield { name: 'repeated', value: [item, item], sentence: 'Must not repeat an entry' };
  for (const { name, value, sentence } of wrongValues(items)) {
    const filled = new Array(Math.max(minItems, 1)).fill(value);
    yield { name: `with an entry ${name}`, value: filled, ...(sentence && { sentence: `0: ${sentence}` }) };
  }
}

/** Texts in an address that a parameter refuses: all of it is text. */
export function* wrongTexts({ type, minimum, ...schema }: Schema): Generator<WrongValue> {
  if (type === 'integer') {
    const sentence = `Must be a whole number from ${minimum}`;
    for (const value of ['nonsense', '1.5', ' 1', `${Number(minimum) - 1}`])
      yield { name: value, value, sentence };
  }
  for (const wrong of wrongValues({ ...schema, type: 'string' }))
    if (typeof wrong.value === 'string' && wrong.value !== '') yield wrong;
}

function listed({ enum: values = [] }: Schema): string {
  return values.filter((value) => value !== '' && value !== null).join(', ');
}

const NAMES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
