import { afterAll, describe, expect, test } from 'bun:test';
import { type DescribedRequest, requestFor, sendDescribed } from '../support/described-routes.ts';
import { openStage, takesLogin } from './stage.ts';

/** D59, for every parameter of every route that the OpenAPI document describes. */

const { service, routes, ada, adas } = await openStage();
afterAll(() => service.close());

const withParameters = routes.filter(
  ({ path, operation }) =>
    !path.endsWith('/stream') && operation.parameters?.some((parameter) => parameter.in === 'query'),
);

describe.each(withParameters)('$name', (route) => {
  const request = requestFor(route, adas(route));
  const credentials = takesLogin(route) ? { token: ada.token } : {};

  async function answerTo(change: (query: URLSearchParams) => void) {
    const query = new URLSearchParams(request.query);
    change(query);
    const asked: DescribedRequest = { ...request, query };
    const { status, text } = await sendDescribed(service, asked, credentials);
    return { status, text };
  }

  test('takes an empty parameter for an absent one', async () => {
    for (const { name, in: place } of route.operation.parameters ?? []) {
      if (place !== 'query') continue;
      const absent = await answerTo((query) => query.delete(name));
      expect({ name, ...(await answerTo((query) => query.set(name, ''))) }).toEqual({ name, ...absent });
      const given = await answerTo(() => {});
      const withEmpty = await answerTo((query) => query.append(name, ''));
      expect({ name, ...withEmpty }).toEqual({ name, ...given });
    }
  });
});
