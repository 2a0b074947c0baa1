import { Elysia, t } from 'elysia';
import { LIST_LIMIT_MAX } from '../../analytics/vocabulary.ts';
import {
  CustomEvents,
  NamesQuery,
  PropertyKeys,
  PropertyQuery,
  PropertyValues,
} from '../../contract/metrics-pages.ts';
import { PROPERTY_KEY_LENGTH_MAX } from '../../contract/vocabulary.ts';
import { validationError } from '../../errors.ts';
import { toRange } from '../answers/wire.ts';
import { fileNameOf, readFormat, respond } from '../files/respond.ts';
import { readPage, readSearch } from '../question/breakdown-parameters.ts';
import { openQuestion } from '../question/open-question.ts';
import { ownWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS, WebsiteId } from './documented.ts';

/** Custom events and properties: for the owner alone, because properties can hold anything. */
export function propertyRoutes(deps: MetricsDeps) {
  async function openList(context: Parameters<typeof openQuestion>[1]) {
    const { parameters, asked } = await openQuestion(deps, context);
    const page = readPage(parameters, LIST_LIMIT_MAX);
    const search = readSearch(parameters);
    const format = readFormat(parameters);
    parameters.finish();
    return { request: { ...asked.selection, ...page }, page, search, format, range: toRange(asked.range) };
  }

  return new Elysia({ prefix: '/websites/:id/stats' })
    .use(ownWebsite(deps))
    .get(
      '/events',
      async (context) => {
        const { request, page, format, range } = await openList(context);
        const { rows, total } = await context.inTurn((analytics) => analytics.customEvents(request));
        const answer = { range, events: rows, pagination: { total, ...page } };
        const name = fileNameOf(context.website, 'events');
        return respond(format, answer, () => ({ name, columns: ['name', 'events', 'visitors'], rows }));
      },
      {
        params: WebsiteId,
        query: t.NoValidate(NamesQuery),
        response: { 200: CustomEvents, ...REFUSALS },
        detail: describe(
          'listCustomEvents',
          'List custom events by name',
          'How often they happened and to how many.',
          'owner',
        ),
      },
    )
    .get(
      '/properties',
      async (context) => {
        const { request, page, format, range } = await openList(context);
        const { rows, total } = await context.inTurn((analytics) => analytics.propertyKeys(request));
        const answer = { range, properties: rows, pagination: { total, ...page } };
        const name = fileNameOf(context.website, 'properties');
        return respond(format, answer, () => ({ name, columns: ['key', 'events', 'visitors'], rows }));
      },
      {
        params: WebsiteId,
        query: t.NoValidate(NamesQuery),
        response: { 200: PropertyKeys, ...REFUSALS },
        detail: describe(
          'listProperties',
          'List the keys of properties',
          'Of all events, or of those of one name: `filters=[["is","event",["signup"]]]`.',
          'owner',
        ),
      },
    )
    .get(
      '/properties/:key',
      async (context) => {
        const { request, page, search, format, range } = await openList(context);
        const key = requireKey(context.params.key);
        const { rows, total, numbers } = await context.inTurn((analytics) =>
          analytics.propertyValues({ ...request, ...search, key }),
        );
        const answer = { range, key, values: rows, numbers: numbers ?? null, pagination: { total, ...page } };
        const name = fileNameOf(context.website, 'property');
        return respond(format, answer, () => ({ name, columns: ['value', 'events', 'visitors'], rows }));
      },
      {
        params: PropertyParams,
        query: t.NoValidate(PropertyQuery),
        response: { 200: PropertyValues, ...REFUSALS },
        detail: describe(
          'listPropertyValues',
          'List the values of a property',
          'With the sum, average, least and greatest of those that are numbers (json only).',
          'owner',
        ),
      },
    );
}

const PropertyParams = t.NoValidate(
  t.Object({
    id: t.String({ description: 'id of the website.' }),
    key: t.String({ description: 'URL-encoded.' }),
  }),
);

/** What cannot be decoded arrives as null. */
function requireKey(key: string | null): string {
  if (key !== null && key !== '' && key.length <= PROPERTY_KEY_LENGTH_MAX) return key;
  throw validationError('Invalid query parameters', {
    key: [`Must be 1 to ${PROPERTY_KEY_LENGTH_MAX} characters`],
  });
}
