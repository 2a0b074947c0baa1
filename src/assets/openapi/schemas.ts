import type { Schema } from './shapes.ts';

/** What a reader of the document understands. Everything else in a schema is for our own validator. */
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
 * Turns a schema of a route into one for readers: internal keywords are dropped, a map's values are described by
 * `additionalProperties`, and every schema that has a title becomes a component that others refer to.
 *
 * @param components gets the schemas with a title, by that title
 */
export function toReadableSchema(source: unknown, components: Record<string, Schema>): Schema {
  // The schemas are TypeBox's; only keywords that are looked at here are taken over.
  const schema = source as Schema & {
    patternProperties?: Record<string, unknown>;
    'x-null'?: boolean;
    'x-closed'?: boolean;
  };
  const result: Schema = Object.fromEntries(Object.entries(schema).filter(([key]) => KEYWORDS.has(key)));
  if (schema.enum) delete result.pattern; // how our validator checks the choice
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
