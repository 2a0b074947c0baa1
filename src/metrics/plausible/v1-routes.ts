import { Elysia, t } from 'elysia';
import { requireUser } from '../../accounts/require-user.ts';
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
import { API_PREFIX, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { accountLine } from '../question/turns.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { grantTime } from '../routes/patience.ts';
import { toPlausibleSubject } from './subject.ts';
import { answerAggregate, answerBreakdown, answerTimeseries } from './v1.ts';
import { readV1Page, readV1Property, readV1Request, readV1Time } from './v1-request.ts';

/** Plausible's Stats API v1, at its addresses. */
export function plausibleV1Routes(deps: MetricsDeps) {
  const { accounts, websites, now } = deps;
  async function open(userId: string, request: Request) {
    const parameters = createParameters(request.url);
    const siteId = parameters.text('site_id', URL_LENGTH_MAX);
    if (siteId === undefined) {
      parameters.fault('site_id', 'Required');
      parameters.finish();
    }
    const website = await websites.requireOwnedBySite(userId, siteId ?? '');
    return { parameters, website, inTurn: deps.turns(accountLine(userId), request) };
  }

  async function openReport(userId: string, request: Request) {
    const { parameters, website, inTurn } = await open(userId, request);
    const subject = await toPlausibleSubject(deps, website);
    const asked = await readV1Request(parameters, subject);
    return { parameters, key: website.key, inTurn, asked, goals: subject.goals };
  }

  return new Elysia({ prefix: `${API_PREFIX}/stats` })
    .onTransform(grantTime)
    .use(requireUser(accounts))
    .get(
      '/realtime/visitors',
      async ({ caller, request }) => {
        const { parameters, website, inTurn } = await open(caller.userId, request);
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
          'owner',
        ),
      },
    )
    .get(
      '/aggregate',
      async ({ caller, request }) => {
        const { parameters, key, inTurn, asked } = await openReport(caller.userId, request);
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
          'owner',
        ),
      },
    )
    .get(
      '/timeseries',
      async ({ caller, request }) => {
        const { parameters, key, inTurn, asked } = await openReport(caller.userId, request);
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
          'owner',
        ),
      },
    )
    .get(
      '/breakdown',
      async ({ caller, request }) => {
        const { parameters, key, inTurn, asked, goals } = await openReport(caller.userId, request);
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
          'owner',
        ),
      },
    );
}
