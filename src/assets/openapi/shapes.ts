/** The parts of an OpenAPI 3.1 document that this service uses. */

export type Schema = {
  $ref?: string;
  title?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  /** false: other properties are rejected. */
  additionalProperties?: Schema | false;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  /** Media type of a text. */
  contentMediaType?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  default?: unknown;
  examples?: unknown[];
  /** Marks a body that may be omitted; not shown to readers. */
  'x-optional'?: boolean;
};

export type Content = { 'application/json': { schema: Schema; example?: unknown } };
/** Content of a response: files and streams are texts of another type. */
export type AnswerContent = Record<string, { schema: Schema; example?: unknown }>;
export type Parameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: Schema;
};
export type Header = { description: string; schema: Schema };
export type Response = { description: string; headers?: Record<string, Header>; content?: AnswerContent };
export type Reference = { $ref: string };

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; description?: string; content: Content };
  responses: Record<string, Response | Reference>;
};

export type Components = {
  schemas: Record<string, Schema>;
  responses: Record<string, Response>;
  securitySchemes: Record<string, Record<string, string>>;
};

export type OpenApiDocument = {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Components;
};
