import { Elysia, t } from 'elysia';
import type { Identity } from '../../access/access.ts';
import { identifyCallers } from '../../access/website-guard.ts';
import {
  V1Aggregate,
  V1AggregateQuery,
  V1Breakdown,
  V1BreakdownQuery,
  V1SiteQuery,
  V1Timeseries,
  V1TimeseriesQuery,
  V1Visitors,
} from '../../contract/plausible-v1.ts';
import { createParameters } from '../../http/parameters.ts';
import { senderAddress } from '../../http/sender-address.ts';
import { API_PREFIX, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import type { OperationId } from '../../vocabulary/rights.ts';
import { type Asking, toAsked } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { grantTime } from '../routes/patience.ts';
import { requireShownProperties, toPlausibleSubject } from './subject.ts';
import { answerAggregate, answerBreakdown, answerTimeseries } from './v1.ts';
import { readV1Page, readV1Property, readV1Request, readV1Time } from './v1-request.ts';

type Context = Asking & { operation: OperationId; identity: Identity };

/** Plausible's Stats API v1, at its addresses. */
export function plausibleV1Routes(deps: MetricsDeps) {
  const { websites, now } = deps;
  async function open({ operation, identity, request, address }: Context) {
    const parameters = createParameters(request.url);
    const siteId = parameters.text('site_id', URL_LENGTH_MAX);
    if (siteId === undefined) {
      parameters.fault('site_id', 'Required');
      parameters.finish();
    }
    const locate = (userId: string | undefined) => websites.findBySite(userId, siteId ?? '');
    const access = await deps.access.open(operation, identity, locate);
    requireShownProperties(access, [...new URL(request.url).searchParams.values()]);
    return { parameters, ...toAsked(deps, access, { request, address }) };
  }

  async function openReport(context: Context) {
    const { parameters, access, website, inTurn } = await open(context);
    const subject = await toPlausibleSubject(deps, access);
    const asked = await readV1Request(parameters, subject);
    return { parameters, key: website.key, inTurn, asked, goals: subject.goals };
  }

  return new Elysia({ prefix: `${API_PREFIX}/stats` })
    .onTransform(grantTime)
    .use(senderAddress())
    .use(identifyCallers(deps))
    .get(
      '/realtime/visitors',
      async (context) => {
        const { parameters, website, inTurn } = await open(context);
        parameters.finish();
        const { visitors } = await inTurn((analytics) =>
          analytics.realtime({ websiteKey: website.key, nowMs: now(), limit: 1 }),
        );
        // A bare number would be sent as text. The type is that of the body.
        return Response.json(visitors) as unknown as number;
      },
      {
        query: t.NoValidate(V1SiteQuery),
        response: { 200: V1Visitors, ...REFUSALS },
        detail: describe(
          'plausibleVisitors',
          'Plausible’s Stats API v1: who is there now',
          'For clients of Plausible.',
        ),
      },
    )
    .get(
      '/aggregate',
      async (context) => {
        const { parameters, key, inTurn, asked } = await openReport(context);
        const compare = parameters.choice('compare', ['previous_period']) && { nowMs: now() };
        parameters.finish();
        return inTurn((analytics) => answerAggregate(analytics, key, asked, compare));
      },
      {
        query: t.NoValidate(V1AggregateQuery),
        response: { 200: V1Aggregate, ...REFUSALS },
        detail: describe(
          'plausibleAggregate',
          'Plausible’s Stats API v1: totals',
          'For clients of Plausible.',
        ),
      },
    )
    .get(
      '/timeseries',
      async (context) => {
        const { parameters, key, inTurn, asked } = await openReport(context);
        const time = readV1Time(parameters, asked);
        parameters.finish();
        return inTurn((analytics) => answerTimeseries(analytics, key, asked, time));
      },
      {
        query: t.NoValidate(V1TimeseriesQuery),
        response: { 200: V1Timeseries, ...REFUSALS },
        detail: describe(
          'plausibleTimeseries',
          'Plausible’s Stats API v1: metrics over time',
          'For clients of Plausible.',
        ),
      },
    )
    .get(
      '/breakdown',
      async (context) => {
        const { parameters, key, inTurn, asked, goals } = await openReport(context);
        const property = readV1Property(parameters, goals);
        const pagination = readV1Page(parameters);
        parameters.finish();
        return inTurn((analytics) => answerBreakdown(analytics, key, asked, property, pagination));
      },
      {
        query: t.NoValidate(V1BreakdownQuery),
        response: { 200: V1Breakdown, ...REFUSALS },
        detail: describe(
          'plausibleBreakdown',
          'Plausible’s Stats API v1: metrics by the values of a property',
          'For clients of Plausible.',
        ),
      },
    );
}
