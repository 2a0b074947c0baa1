import { afterAll, describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Value } from '@sinclair/typebox/value';
import type { OpenApiDocument, Operation, Schema } from '../../src/assets/openapi/shapes.ts';
import { createTestService } from '../support/service.ts';

const service = await createTestService();
afterAll(() => service.close());
const { body } = await service.send('GET', '/openapi.json');
// What the document is made of; whether it is one is what the first test asks.
const document = body as OpenApiDocument;
const { schemas, responses } = document.components;

type Route = { name: string; path: string; method: string; operation: Operation };
const routes: Route[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method: method.toUpperCase(),
    operation,
  })),
);

/** Pages, files, the document itself, other names of routes and what Prometheus reads are not part of the API. */
const NO_API =
  /^\/($|docs(\/.*)?$|metrics$|\.well-known\/|m(\/batch)?$|account(\/audit-log)?$|join$|websites\/|public\/|share\/|assets\/|[\w-]+\.\w+$)/;

describe('the OpenAPI document', () => {
  test('is valid', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('has every route of the API, and no other', () => {
    const mounted = service.app.routes
      .filter(({ path }) => !NO_API.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(routes.map(({ name }) => name).sort()).toEqual(mounted.sort());
  });

  test('names every operation, each in its own words', () => {
    const names = routes.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-zA-Z]+$/.test(name) || name.includes('ApiV1'))).toEqual([]);
  });

  test('says of every operation whether it needs credentials, and which routes need none', () => {
    expect(routes.filter(({ operation }) => operation.security === undefined)).toEqual([]);
    const open = routes.filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ name }) => name).toSorted()).toEqual([
      'GET /api/health',
      'GET /api/ping',
      'GET /api/v1/auth/setup',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/refresh',
      'POST /api/v1/auth/register',
      'POST /api/v1/invitations/preview',
      'POST /api/v1/share/unlock',
    ]);
  });

  test('describes the current visitors of version 1 as JSON, which they are', () => {
    const visitors = routes.find(({ path }) => path === '/api/v1/stats/realtime/visitors');
    const answer = visitors?.operation.responses['200'];
    expect(answer && 'content' in answer && Object.keys(answer.content ?? {})).toEqual(['application/json']);
  });

  test('the examples of a question of version 1 make a question together', async () => {
    const { apiKey } = await service.addUser();
    await service.addWebsite(apiKey, 'https://example.com');
    const questions = routes.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'site_id'),
    );
    expect(questions.length).toBe(4);
    for (const { path, operation } of questions) {
      const examples = (operation.parameters ?? []).flatMap(({ name, schema }) =>
        schema.examples?.[0] === undefined ? [] : [[name, String(schema.examples[0])]],
      );
      const { status, text } = await service.send('GET', `${path}?${new URLSearchParams(examples)}`, {
        token: apiKey,
      });
      expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
    }
  });

  test('the OpenAPI document holds none of our own keywords, and no pattern next to a choice', () => {
    const text = JSON.stringify(body);
    for (const keyword of [
      'x-messages',
      'x-closed',
      'noValidate',
      'Response for status',
      '"pattern":"^(pageview',
    ])
      expect(text).not.toContain(keyword);
  });

  test('says where unknown fields are refused, and nowhere else', () => {
    const isClosed = ({ operation }: Route) =>
      operation.requestBody?.content['application/json'].schema.additionalProperties === false;
    expect(routes.filter(isClosed).map(({ operation }) => operation.operationId)).toEqual([
      'query',
      'queryBySite',
    ]);
  });

  test('says which body may be left out', () => {
    const optional = routes.filter(({ operation }) => operation.requestBody?.required === false);
    expect(optional.map(({ operation }) => operation.operationId)).toEqual(['logoutEverywhere']);
  });

  test('refers only to what it has, and has only what is referred to', () => {
    const text = JSON.stringify(body);
    const referred = new Set(
      [...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name ?? ''),
    );
    const present = [
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(responses).map((name) => `responses/${name}`),
    ];
    expect([...referred].sort()).toEqual(present.sort());
  });

  test('tells the truth about a head that is too large: 431 without a body', async () => {
    service.app.listen({ port: 0, hostname: '127.0.0.1' });
    const response = await fetch(`http://127.0.0.1:${service.app.server?.port}/api/ping`, {
      headers: { 'X-Long': 'x'.repeat(17 * 1024) },
    });
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 431, text: '' });
    expect(responses.HeadTooLarge).not.toHaveProperty('content');
    await service.app.server?.stop(true);
  });

  test('is asked for again without being sent again', async () => {
    const first = await service.send('GET', '/openapi.json');
    const etag = first.headers.get('etag') ?? '';
    const second = await service.send('GET', '/openapi.json', { headers: { 'If-None-Match': etag } });
    expect({ status: second.status, body: second.body }).toEqual({ status: 304, body: '' });
  });
});

describe('each operation', () => {
  test.each(routes)('$name says what any request may be answered', ({ operation }) => {
    const isMonitor = operation.tags.includes('Health');
    const statuses = Object.keys(operation.responses);
    expect(['429', '500', '503'].filter((status) => statuses.includes(status))).toEqual(
      isMonitor ? statuses.filter((status) => status === '503') : ['429', '500', '503'],
    );
    expect(operation.responses['431']).toEqual({ $ref: '#/components/responses/HeadTooLarge' });
  });

  test.each(routes)('$name describes itself, its parameters and each field', ({ operation }) => {
    const { summary, description, tags, parameters = [], requestBody } = operation;
    expect([summary, description, tags[0]].every(Boolean)).toBe(true);
    expect(parameters.filter((parameter) => !parameter.description)).toEqual([]);
    const described = [
      ...(requestBody ? findUndescribed(requestBody.content['application/json'].schema, 'body') : []),
      ...Object.entries(operation.responses).flatMap(([status, response]) =>
        '$ref' in response
          ? []
          : Object.values(response.content ?? {}).flatMap(({ schema }) => findUndescribed(schema, status)),
      ),
    ];
    expect(described).toEqual([]);
  });

  test.each(routes)(
    '$name asks for the credentials that it declares',
    async ({ method, path, operation }) => {
      const schemes = operation.security?.map((requirement) => Object.keys(requirement)) ?? [];
      // With a login as well, it is only what is public that needs none; the website asked for here is not.
      const isOpen =
        schemes.every((names) => names.length === 0) ||
        (schemes.some((names) => names.length === 0) && !schemes.flat().includes('bearerAuth'));
      const address = path.replaceAll(/\{\w+\}/g, '0193d4a1-7c2e-7bb0-8f6d-5a1e3c9b2d40');
      const { status, headers } = await service.send(method, address);
      expect({ status: status === 401, scheme: headers.get('www-authenticate') }).toEqual(
        isOpen ? { status: false, scheme: null } : { status: true, scheme: 'Bearer' },
      );
      expect(isOpen || '401' in operation.responses).toBe(true);
    },
  );

  test.each(routes)(
    '$name takes an API key exactly when it says so',
    async ({ method, path, operation }) => {
      if (!operation.security?.length) return; // open to everyone
      const { apiKey } = await service.signUp();
      const address = path.replaceAll(/\{\w+\}/g, '0193d4a1-7c2e-7bb0-8f6d-5a1e3c9b2d40');
      const { status } = await service.send(method, address, { headers: { 'X-API-Key': apiKey } });
      expect(status === 403).toBe(!operation.security.some((requirement) => 'apiKeyAuth' in requirement));
    },
    30_000,
  ); // one of them loads the demo data

  test.each(routes.filter(({ operation }) => operation.requestBody))(
    '$name gives an example that its own schema accepts',
    ({ method, path, operation }) => {
      const route = service.app.routes.find(
        (candidate) => candidate.method === method && candidate.path.replaceAll(/:(\w+)/g, '{$1}') === path,
      );
      const example = operation.requestBody?.content['application/json'].example;
      expect([...Value.Errors(route?.hooks.body, example)].map((error) => error.path)).toEqual([]);
    },
  );
});

/** Paths of the properties without a description, their own or that of the component they refer to. */
function findUndescribed(reference: Schema, path: string): string[] {
  const schema = follow(reference);
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description || follow(property).description ? [] : [`${path}.${name}`]),
    ...findUndescribed(property, `${path}.${name}`),
  ]);
  const parts = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return [...properties, ...parts.flatMap((part) => findUndescribed(part, path))];
}

function follow(schema: Schema): Schema {
  return schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
}
