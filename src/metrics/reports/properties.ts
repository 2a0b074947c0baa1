import { Elysia, t } from 'elysia';
import { WebsiteId, websiteId } from '../../access/website-guard.ts';
import {
  CustomEvents,
  NamesQuery,
  PropertyKeys,
  PropertyQuery,
  PropertyValues,
} from '../../contract/metrics/pages.ts';
import type { Parameters } from '../../http/parameters.ts';
import { PROPERTY_KEY_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { toRevenueList } from '../answers/revenue.ts';
import { readSearch } from '../question/breakdown-parameters.ts';
import { openQuestion } from '../question/open-question.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport, nextPage, readList } from '../routes/report.ts';

/** Routes for custom events and properties, for the owner only: properties can contain anything. */
export function propertyRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats' })
    .use(askWebsite(deps))
    .get(
      '/events',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'events',
          read: readList,
          async answer(analytics, { request, page, range }) {
            const { rows, total } = await analytics.customEvents(request);
            return { range, events: rows, pagination: { total, ...page } };
          },
          toTable: (name, { events }) => ({ name, columns: ['name', ...COUNTS], rows: events }),
          next: nextPage,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(NamesQuery),
        response: { 200: CustomEvents, ...REFUSALS },
        detail: describe(
          'listCustomEvents',
          'List custom events by name',
          'How often they happened and to how many.',
        ),
      },
    )
    .get(
      '/properties',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'properties',
          read: readList,
          async answer(analytics, { request, page, range }) {
            const { rows, total } = await analytics.propertyKeys(request);
            return { range, properties: rows, pagination: { total, ...page } };
          },
          toTable: (name, { properties }) => ({ name, columns: ['key', ...COUNTS], rows: properties }),
          next: nextPage,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(NamesQuery),
        response: { 200: PropertyKeys, ...REFUSALS },
        detail: describe(
          'listProperties',
          'List the keys of properties',
          'Of all events, or of those of one name: `filters=[["is","event",["signup"]]]`.',
        ),
      },
    )
    .get(
      '/properties/:key',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'property',
          read: (question) => ({
            ...readList(question),
            ...readSearch(question.parameters),
            key: readKey(context.params.key, question.parameters),
          }),
          async answer(analytics, { request, page, range, ...own }) {
            const { limit: _, offset: _offset, ...selection } = request;
            const [{ rows, total, numbers = null }, money] = await Promise.all([
              analytics.propertyValues({ ...request, ...own }),
              context.access.hides.includes('revenue')
                ? undefined
                : analytics.revenue({ ...selection, dimension: `property:${own.key}` }),
            ]);
            const revenue = new Map(money?.values?.map((each) => [each.value, toRevenueList(each.revenue)]));
            const values = rows.map((row) => {
              const brought = revenue.get(row.value);
              return brought ? { ...row, revenue: brought } : row;
            });
            return { range, key: own.key, values, numbers, pagination: { total, ...page } };
          },
          toTable: (name, { values }) => ({ name, columns: ['value', ...COUNTS], rows: values }),
          next: nextPage,
        }),
      {
        params: PropertyParams,
        query: t.NoValidate(PropertyQuery),
        response: { 200: PropertyValues, ...REFUSALS },
        detail: describe(
          'listPropertyValues',
          'List the values of a property',
          'With the sum, average, least and greatest of those that are numbers (json only).',
        ),
      },
    );
}

const PropertyParams = t.NoValidate(
  t.Object({
    ...websiteId,
    key: t.String({ description: 'URL-encoded.' }),
  }),
);

/** A key that cannot be decoded arrives as null. */
function readKey(key: string | null, parameters: Parameters): string {
  const isKey = key !== null && key !== '' && key.length <= PROPERTY_KEY_LENGTH_MAX;
  if (!isKey) parameters.fault('key', `Must be 1 to ${PROPERTY_KEY_LENGTH_MAX} characters`);
  return key ?? '';
}

const COUNTS = ['events', 'visitors'] as const;
