import type { AnyElysia } from 'elysia';
import { description, license, version } from '../../../package.json';
import { ERROR_STATUS, type ErrorCode } from '../../vocabulary/contract.ts';
import type { OperationId } from '../../vocabulary/rights.ts';
import { toExample } from './examples.ts';
import { INTRODUCTION, TAGS } from './prose.ts';
import { codeOfStatus, referToHeadTooLarge, referToRefusal } from './refusals.ts';
import { describeRight, securityOf } from './rights.ts';
import { toReadableSchema } from './schemas.ts';
import type { AnswerContent, Components, Content, OpenApiDocument, Operation, Parameter } from './shapes.ts';

/** 3.1, because its schemas are JSON Schema, as TypeBox's are: 3.0 lacks `const`, `examples` and type `null`. */
const OPENAPI_VERSION = '3.1.0';

/**
 * Describes the application's routes from their schemas. The plugin collects them, and this function completes what it
 * omits. Loaded on request, because most services never serve it.
 */
export async function describeRoutes(app: AnyElysia, address = '/'): Promise<OpenApiDocument> {
  const { toOpenAPISchema } = await import('@elysiajs/openapi/openapi');
  const collected = toOpenAPISchema(
    withJsonBodies(app),
    undefined,
    undefined,
    undefined,
    OPENAPI_VERSION,
  ) as unknown as Pick<OpenApiDocument, 'paths'>; // its types are those of 3.0
  const components: Components = {
    schemas: {},
    responses: {},
    securitySchemes: {
      bearerAuth: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The access token of a login, or an API key.',
      },
      apiKeyAuth: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: 'An API key. Looked at when there is no Authorization header.',
      },
    },
  };
  const paths = Object.fromEntries(
    Object.entries(collected.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, complete(operation, components)]),
      ),
    ]),
  );
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'Pagemeter',
      version,
      summary: description,
      description: INTRODUCTION,
      license: { name: license, identifier: license },
    },
    servers: [{ url: address, description: 'This service.' }],
    tags: TAGS,
    paths,
    components,
  };
}

/** Adds the accepted content types: the plugin sees our body parser as a function. */
function withJsonBodies(app: AnyElysia): AnyElysia {
  const routes = app.routes.map((route) => ({
    ...route,
    hooks: { ...route.hooks, parse: route.hooks.body && [{ fn: 'json' }] },
  }));
  return Object.create(app, { getGlobalRoutes: { value: () => routes } });
}

/** Completes what the plugin omits. Summary, tags and operationId come from the route, security from the table of rights. */
function complete(operation: Operation, components: Components): Operation {
  const { parameters, requestBody, ...rest } = operation;
  const operationId = operation.operationId as OperationId; // the service starts with no others
  const body = requestBody && completeContent(requestBody.content, components);
  return {
    ...rest,
    description: [rest.description, describeRight(operationId)].filter(Boolean).join(' '),
    security: securityOf(operationId),
    ...(parameters && {
      parameters: parameters.map((parameter) => completeParameter(parameter, components)),
    }),
    ...(body && {
      requestBody: { required: !requestBody.content['application/json'].schema['x-optional'], content: body },
    }),
    responses: {
      ...completeSuccesses(operation, components),
      ...completeRefusals({ ...operation, security: securityOf(operationId) }, components),
    },
  };
}

function completeParameter(parameter: Parameter, { schemas }: Components): Parameter {
  const { description = '', ...schema } = toReadableSchema(parameter.schema, schemas);
  return { ...parameter, description, schema };
}

function completeContent({ 'application/json': { schema } }: Content, { schemas }: Components): Content {
  const readable = toReadableSchema(schema, schemas);
  return { 'application/json': { schema: readable, example: toExample(readable, schemas) } };
}

function completeSuccesses({ responses, parameters = [] }: Operation, components: Components) {
  const isFileToo = parameters.some(({ name }) => name === 'format');
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      if (codeOfStatus(status) !== undefined || !('content' in response) || !response.content) return [];
      const content = completeAnswer(response.content, components);
      return [[status, { ...response, content: { ...content, ...(isFileToo && FILES) } }]];
    }),
  );
}

/** Additional content types of a route with the parameter `format`. */
const FILES: AnswerContent = {
  'text/csv': { schema: { type: 'string' } },
  'application/x-ndjson': { schema: { type: 'string' } },
};

/** The plugin takes text and bare numbers for plain text; the schema says what they are. */
function completeAnswer(content: AnswerContent, components: Components): AnswerContent {
  const { 'application/json': json, 'text/plain': text } = content;
  if (json) return completeContent({ 'application/json': json }, components);
  if (!text) return content;
  const schema = toReadableSchema(text.schema, components.schemas);
  if (schema.type !== 'string') return completeContent({ 'application/json': text }, components);
  return { [schema.contentMediaType ?? 'text/plain']: { schema } };
}

/** Adds the error responses that a route declares, and those that its kind implies. */
function completeRefusals(operation: Operation, components: Components) {
  const { requestBody, security, responses, tags } = operation;
  const codes: (ErrorCode | undefined)[] = Object.keys(responses).map(codeOfStatus);
  if (requestBody) codes.push('VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (security) codes.push('UNAUTHORIZED', 'FORBIDDEN');
  const needsDatabase = !tags.includes('Health');
  if (needsDatabase) codes.push('RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE');
  const refusals = codes
    .filter((code) => code !== undefined)
    .map((code) => [ERROR_STATUS[code], referToRefusal(code, components)]);
  return { ...Object.fromEntries(refusals), 431: referToHeadTooLarge(components) };
}
