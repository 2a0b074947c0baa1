import type { OpenApiDocument, Operation, Schema } from '../../src/assets/openapi/shapes.ts';
import type { TestService } from './service.ts';

/** A route as the OpenAPI document describes it. */
export type DescribedRoute = {
  /** `GET /api/v1/websites/{id}`. */
  name: string;
  method: string;
  path: string;
  operation: Operation;
  /** Schema of its body. */
  schema: Schema | undefined;
};

/** Subjects of the requests. */
export type Asked = {
  id: string;
  trackingCode: string;
  domain: string;
  /** By the name that paths have for it, where it is not called x. */
  named?: Record<string, string>;
};

/** A request that the route takes, put together from its examples. */
export type DescribedRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown> | undefined;
};

export async function readDescribedRoutes(service: TestService): Promise<DescribedRoute[]> {
  // That it is one is a test of its own (tests/assets).
  const document = (await service.send('GET', '/openapi.json')).body as OpenApiDocument;
  const { schemas } = document.components;
  /** Two levels of references are all that there are. */
  function resolve(schema: Schema): Schema {
    const found = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
    const fields = Object.entries(found?.properties ?? {}).map(([name, field]) => [name, resolve(field)]);
    return found?.properties ? { ...found, properties: Object.fromEntries(fields) } : (found ?? {});
  }
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      const schema = operation.requestBody?.content['application/json'].schema;
      return { name: `${method} ${path}`, method, path, operation, schema: schema && resolve(schema) };
    }),
  );
}

export function requestFor(
  route: DescribedRoute,
  { id, trackingCode, domain, named = {} }: Asked,
): DescribedRequest {
  const { method, path, operation } = route;
  const own: Record<string, string> = { site_id: domain, trackingCode };
  const query = new URLSearchParams();
  for (const { name, in: place, required, schema } of operation.parameters ?? [])
    if (place === 'query' && required) query.set(name, own[name] ?? String(schema.examples?.[0]));
  const example = operation.requestBody?.content['application/json'].example;
  const body = example === undefined ? undefined : { ...(example as Record<string, unknown>) }; // of an object
  for (const [name, value] of Object.entries(own)) if (body && name in body) body[name] = value;
  return {
    method,
    path: path.replace('{id}', id).replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? 'x'),
    query,
    body,
  };
}

export function sendDescribed(
  service: TestService,
  { method, path, query, body }: DescribedRequest,
  credentials: { token?: string | undefined; headers?: Record<string, string> } = {},
) {
  return service.send(method, `${path}?${query}`, { ...credentials, body });
}
