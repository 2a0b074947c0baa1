import { followReference } from '../openapi/examples.ts';
import type { Parameter, Schema } from '../openapi/shapes.ts';
import { toInlineHtml } from './markdown.ts';

type Schemas = Record<string, Schema>;
type Field = { name: string; isRequired: boolean; description?: string | undefined; schema: Schema };

/** Renders the fields of an object, or of a list's objects, as a nested list. Empty for other types. */
export function toFieldsHtml(reference: Schema, schemas: Schemas): string {
  const schema = followReference(reference, schemas);
  if (schema.items) return toFieldsHtml(schema.items, schemas);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    isRequired: schema.required?.includes(name) ?? false,
    schema: property,
  }));
  return toListHtml(fields, schemas);
}

export function toParametersHtml(parameters: Parameter[], schemas: Schemas): string {
  return toListHtml(
    parameters.map(({ required, ...parameter }) => ({ ...parameter, isRequired: required })),
    schemas,
  );
}

function toListHtml(fields: Field[], schemas: Schemas): string {
  if (fields.length === 0) return '';
  return `<ul class="fields">${fields.map((field) => toFieldHtml(field, schemas)).join('')}</ul>`;
}

function toFieldHtml({ name, isRequired, description, schema }: Field, schemas: Schemas): string {
  const followed = followReference(schema, schemas);
  const text = description ?? schema.description ?? followed.description ?? '';
  const type = [toTypeText(followed, schemas), ...toBounds(followed)].join(', ');
  return `<li><code class="name">${Bun.escapeHTML(name)}</code> <span class="type">${Bun.escapeHTML(type)}</span>${
    isRequired ? '' : ' <span class="optional">optional</span>'
  }<p>${toInlineHtml(text)}</p>${toFieldsHtml(followed, schemas)}</li>`;
}

function toTypeText(schema: Schema, schemas: Schemas): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf)
    return schema.anyOf.map((part) => toTypeText(followReference(part, schemas), schemas)).join(' or ');
  if (schema.format === 'date-time')
    return [schema.type].flat().includes('null') ? 'instant or null' : 'instant';
  if (schema.items) {
    const item = followReference(schema.items, schemas);
    return item.properties ? 'list of objects' : `list of ${toTypeText(item, schemas)}`;
  }
  return [schema.type ?? 'any value']
    .flat()
    .map((type) => (type === 'integer' ? 'whole number' : type))
    .join(' or ');
}

function toBounds(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  return [
    toBound(minLength, maxLength, 'characters'),
    ...((maximum ?? 0) > Number.MAX_SAFE_INTEGER / 2 ? [] : [toBound(minimum, maximum, '')]), // any instant
    toBound(minItems, maxItems, 'entries'),
  ].filter((bound) => bound !== '');
}

function toBound(min: number | undefined, max: number | undefined, unit: string): string {
  const number = (value: number) => value.toLocaleString('en');
  if (min !== undefined && max !== undefined) return `${number(min)} to ${number(max)} ${unit}`.trim();
  if (max !== undefined) return `at most ${number(max)} ${unit}`.trim();
  if (min !== undefined) return `at least ${number(min)} ${unit}`.trim();
  return '';
}
