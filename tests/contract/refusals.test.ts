import { afterAll, describe, expect, test } from 'bun:test';
import type { Parameter, Schema } from '../../src/assets/openapi/shapes.ts';
import {
  type DescribedRequest,
  type DescribedRoute,
  requestFor,
  sendDescribed,
} from '../support/described-routes.ts';
import { openStage, takesLogin } from './stage.ts';
import { type WrongValue, wrongTexts, wrongValues } from './wrong-values.ts';

/**
 * Refusals of every route for every field, by the OpenAPI document. Rules outside it, and messages that fields
 * say in words of their own, are tested with their routes.
 */

const { service, routes, ada, adas } = await openStage();
afterAll(() => service.close());

/** Sentences of fields that say it in words of their own. */
const OWN_WORDS: Record<string, RegExp> = {
  password: /^Password must be at (least 8|most 128) characters$/,
  newPassword: /^Password must be at (least 8|most 128) characters$/,
  name: /^Must be a text of 1 to 100 characters without control characters, or null$/,
  expiresAt: /^Must be an ISO 8601 date, or an instant with its offset, or null$/,
  retentionDays: /^Must be a whole number from 1 to 3650, or null$/,
  websiteIds: /^Must be a list of at most [0-9]+ ids of websites, or null$/,
  email: /^Must be an address of at most 254 characters, or null$/,
  primaryGoalId: /^Must be the id of a goal, or null$/,
  value: /^Must be an amount such as \{"amount":"19.90","currency":"EUR"\}, or null$/,
  trackingCode: /^Invalid tracking code format$/,
  sessionId: /^Must be 1 to 128 characters$/,
  visitorId: /^Must be 1 to 128 characters$/,
  url: /^Must be 1 to 2048 characters$/,
};
/** Plausible's form says everything in its own words: tests/metrics/plausible/refusals. */
const isPlausible = ({ operation }: DescribedRoute) => operation.operationId.startsWith('query');
/** Described as taken, although the schema does not say so. */
const TAKEN = ['register: name null'];
/** Without which a field is refused for another reason. */
const NEEDED_WITH: Record<string, Record<string, string>> = { to: { from: '2026-11-01' } };

type Case = { field: string; wrong: WrongValue; request: DescribedRequest };

function* casesOf(route: DescribedRoute): Generator<Case> {
  const request = requestFor(route, adas(route));
  for (const parameter of route.operation.parameters ?? [])
    if (parameter.in === 'query') yield* casesOfParameter(request, parameter);
  const { properties = {}, required = [] } = route.schema ?? {};
  for (const [field, schema] of Object.entries(properties))
    yield* casesOfField(request, field, schema, required.includes(field));
}

function* casesOfParameter(
  request: DescribedRequest,
  { name, required, schema }: Parameter,
): Generator<Case> {
  const given = request.query.get(name) ?? String(schema.enum?.[0] ?? schema.examples?.[0] ?? '1');
  const rest = new URLSearchParams({ ...Object.fromEntries(request.query), ...NEEDED_WITH[name] });
  rest.delete(name);
  const withValues = (...values: string[]) => {
    const query = new URLSearchParams(rest);
    for (const value of values) query.append(name, value);
    return { ...request, query };
  };
  if (required)
    yield { field: name, wrong: { name: 'missing', sentence: 'Required' }, request: withValues() };
  yield {
    field: name,
    wrong: { name: 'given twice', sentence: 'Must be given once' },
    request: withValues(given, given),
  };
  for (const wrong of wrongTexts(schema))
    yield { field: name, wrong, request: withValues(String(wrong.value)) };
}

function* casesOfField(
  request: DescribedRequest,
  field: string,
  schema: Schema,
  isRequired: boolean,
): Generator<Case> {
  const { [field]: _, ...rest } = request.body ?? {};
  if (isRequired)
    yield { field, wrong: { name: 'missing', sentence: 'Required' }, request: { ...request, body: rest } };
  for (const wrong of wrongValues(schema))
    yield { field, wrong, request: { ...request, body: { ...rest, [field]: wrong.value } } };
}

const credentials = (route: DescribedRoute) => (takesLogin(route) ? { token: ada.token } : {});

describe.each(routes.filter((route) => [...casesOf(route)].length > 0))('$name', (route) => {
  test('refuses each wrong value with 400, and names the field and the reason', async () => {
    const faults: unknown[] = [];
    for (const { field, wrong, request } of casesOf(route)) {
      const name = `${route.operation.operationId}: ${field} ${wrong.name}`;
      if (TAKEN.includes(name)) continue;
      const { status, body } = await sendDescribed(service, request, credentials(route));
      const { formErrors, fieldErrors = {} } = body.details ?? {};
      const sentences: string[] = fieldErrors[field] ?? [];
      const isOnly = Object.keys(fieldErrors).length === 1;
      const says = (sentence: string) =>
        sentence.startsWith(wrong.sentence ?? '') || OWN_WORDS[field]?.test(sentence);
      const isTold =
        status === 400 &&
        body.error === 'VALIDATION_ERROR' &&
        formErrors.length === 0 &&
        (isPlausible(route) ? sentences.length > 0 : sentences.some(says) && isOnly);
      if (!isTold) faults.push({ name, expected: wrong.sentence, status, body });
    }
    expect(faults).toEqual([]);
  });
});

describe.each(routes.filter(({ schema }) => schema))('$name', (route) => {
  const { method, operation } = route;
  const address = requestFor(route, adas(route)).path;
  function send(rawBody: string, contentType: string) {
    const headers = { 'Content-Type': contentType };
    return service.send(method, address, { ...credentials(route), rawBody, headers });
  }

  test('refuses a body that is not an object, cannot be read or is of another type', async () => {
    const isRequired = operation.requestBody?.required === true;
    for (const text of ['[]', '"text"', '5', '{"half":', ...(isRequired ? ['null', ''] : [])]) {
      const { status, body } = await send(text, 'application/json');
      expect({ text, status, body }).toMatchObject({
        text,
        status: 400,
        body: { error: 'VALIDATION_ERROR' },
      });
      const { formErrors, fieldErrors } = body.details;
      expect([...formErrors, ...Object.keys(fieldErrors)]).toHaveLength(1);
    }
    expect((await send('name=x', 'application/x-www-form-urlencoded')).status).toBe(415);
  });
});
