import type { Schema } from './shapes.ts';

const EXAMPLE_INSTANT = '2026-11-20T12:00:00.000Z';

/** Builds an example of a value from the examples of its parts, without optional parts that have none. */
export function toExample(schema: Schema, components: Record<string, Schema>): unknown {
  const { type, properties } = followReference(schema, components);
  const own = ownExample(followReference(schema, components));
  if (own !== undefined) return own;
  if (properties) return toExampleObject(schema, components);
  const { items, anyOf, additionalProperties } = followReference(schema, components);
  if (anyOf?.[0]) return toExample(anyOf[0], components);
  if (items) return [toExample(items, components)];
  if (additionalProperties || type === 'object') return {};
  return EXAMPLE_OF_TYPE[Array.isArray(type) ? (type[0] ?? 'null') : (type ?? 'null')] ?? null;
}

export function followReference(schema: Schema, components: Record<string, Schema>): Schema {
  return components[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
}

function toExampleObject(schema: Schema, components: Record<string, Schema>): Record<string, unknown> {
  const { properties = {}, required = [] } = followReference(schema, components);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, property]) => required.includes(name) || hasExample(property))
      .map(([name, property]) => [name, toExample(property, components)]),
  );
}

function hasExample(schema: Schema): boolean {
  return schema.examples !== undefined;
}

function ownExample({ examples, const: only, enum: choices, format }: Schema): unknown {
  return examples?.[0] ?? only ?? choices?.[0] ?? (format === 'date-time' ? EXAMPLE_INSTANT : undefined);
}

const EXAMPLE_OF_TYPE: Record<string, unknown> = { string: '…', integer: 1, number: 1, boolean: true };
