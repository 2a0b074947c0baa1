import { type TSchema, TypeGuard } from '@sinclair/typebox';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import type { FaultDetails } from '../vocabulary/errors.ts';

/**
 * A schema may carry its own sentences by the keyword that failed, for example
 * `t.String({ minLength: 8, 'x-messages': { minLength: 'Password must be at least 8 characters' } })`.
 */
type WithMessages = TSchema & { 'x-messages'?: Record<string, string> };

const MESSAGES_MAX = 100;

/**
 * TypeBox errors as sentences by field. The field is the first segment of the path; faults of the value as a whole
 * go to `formErrors`. Never repeats the submitted value.
 */
export function toFaultDetails(errors: Iterable<ValueError>): FaultDetails {
  const formErrors: string[] = [];
  const byField = new Map<string, string[]>();
  const missing = new Set<string>();
  let count = 0;
  for (const error of errors) {
    if (missing.has(error.path)) continue;
    count += 1;
    if (count > MESSAGES_MAX) break;
    const isMissing = error.value === undefined;
    if (isMissing) missing.add(error.path);
    const [field, ...rest] = error.path.split('/').slice(1).map(unescapeSegment);
    const sentence = describe(error, isMissing);
    if (field === undefined) {
      addOnce(formErrors, sentence);
      continue;
    }
    const sentences = byField.get(field) ?? [];
    byField.set(field, sentences);
    addOnce(sentences, rest.length > 0 ? `${rest.join('.')}: ${sentence}` : sentence);
  }
  return { formErrors, fieldErrors: Object.fromEntries(byField) };
}

function describe(error: ValueError, isMissing: boolean): string {
  const schema: WithMessages = error.schema;
  const messages = schema['x-messages'];
  if (isMissing) return messages?.required ?? 'Required';
  const keyword = KEYWORD_OF[error.type];
  if (keyword === undefined) return messages?.type ?? describeType(schema);
  return messages?.[keyword] ?? SENTENCES[keyword]?.(schema) ?? 'Is not accepted';
}

function describeType(schema: TSchema): string {
  if (TypeGuard.IsUnion(schema)) return `Must be ${schema.anyOf.map(nameOfType).join(' or ')}`;
  return `Must be ${nameOfType(schema)}`;
}

function nameOfType(schema: TSchema): string {
  switch (schema.type) {
    case 'string':
      return 'a string';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'null':
      return 'null';
    default:
      return 'of another type';
  }
}

/** TypeBox's error types by the JSON schema keyword that they speak of. */
const KEYWORD_OF: Partial<Record<ValueErrorType, string>> = {
  [ValueErrorType.ArrayMaxItems]: 'maxItems',
  [ValueErrorType.ArrayMinItems]: 'minItems',
  [ValueErrorType.ArrayUniqueItems]: 'uniqueItems',
  [ValueErrorType.IntegerMaximum]: 'maximum',
  [ValueErrorType.IntegerMinimum]: 'minimum',
  [ValueErrorType.StringMaxLength]: 'maxLength',
  [ValueErrorType.StringMinLength]: 'minLength',
  [ValueErrorType.StringPattern]: 'pattern',
};

const SENTENCES: Record<string, (schema: TSchema) => string> = {
  maxItems: (schema) => `Must have at most ${schema.maxItems} entries`,
  minItems: (schema) =>
    `Must have at least ${schema.minItems} ${schema.minItems === 1 ? 'entry' : 'entries'}`,
  uniqueItems: () => 'Must not repeat an entry',
  maximum: (schema) => `Must be at most ${schema.maximum}`,
  minimum: (schema) => `Must be at least ${schema.minimum}`,
  maxLength: (schema) => `Must be at most ${schema.maxLength} characters`,
  minLength: (schema) =>
    schema.minLength === 1 ? 'Must not be empty' : `Must be at least ${schema.minLength} characters`,
  pattern: (schema) =>
    Array.isArray(schema.enum) ? `Must be one of: ${schema.enum.join(', ')}` : 'Has the wrong format',
};

function unescapeSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function addOnce(list: string[], sentence: string): void {
  if (!list.includes(sentence)) list.push(sentence);
}
