import type { Schema } from './shapes.ts';

/** Schema keywords for readers of the document. All others are for our own validator. */
const KEYWORDS = new Set<string>([
  'title',
  'type',
  'description',
  'required',
  'enum',
  'const',
  'format',
  'contentMediaType',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'default',
  'examples',
] satisfies (keyof Schema)[]);

/**
 * Converts a route's schema for readers: drops internal keywords, describes a map's values by `additionalProperties`, and
 * turns every schema with a title into a component that others refer to.
 *
 * @param components receives the schemas with a title, by title
 */
export function toReadableSchema(source: unknown, components: Record<string, Schema>): Schema {
  // Schemas are TypeBox's; only the keywords handled here are copied.
  const schema = source as Schema & {
    patternProperties?: Record<string, unknown>;
    'x-null'?: boolean;
    'x-closed'?: boolean;
  };
  const result: Schema = Object.fromEntries(Object.entries(schema).filter(([key]) => KEYWORDS.has(key)));
  if (schema.enum) delete result.pattern; // used only by our validator
  if (schema['x-null']) {
    result.type = [schema.type ?? [], 'null'].flat();
    if (schema.enum) result.enum = [...schema.enum, null];
  }
  const inner = (part: unknown) => toReadableSchema(part, components);

  if (schema.properties)
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, inner(property)]),
    );
  if (schema.items) result.items = inner(schema.items);
  if (schema.anyOf) result.anyOf = schema.anyOf.map(inner);
  const [values] = Object.values(schema.patternProperties ?? {});
  if (values) result.additionalProperties = inner(values);
  if (schema['x-closed']) result.additionalProperties = false;
  return schema.title ? toComponent(schema.title, result, components) : result;
}

function toComponent(title: string, schema: Schema, components: Record<string, Schema>): Schema {
  const known = components[title];
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two schemas have the title ${title}`);
  components[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}
