import { t } from 'elysia';
import { CLIENT_DIMENSIONS, type ClientDimension } from '../../vocabulary/analytics.ts';
import { DEVICE_TYPES, EVENT_TYPES, STATS_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { DIMENSION_DESCRIPTIONS } from '../../vocabulary/dimensions.ts';
import { choice, instant, integerText } from '../types.ts';
import { Pagination, ResolvedRange, RevenueList } from './figures.ts';
import { Visit } from './lists.ts';
import { formatField, pageFields, rangeFields, selectionFields } from './query.ts';

/** Maximum events of a visit that are listed. */
export const VISIT_STEPS_MAX = 100;
/** Maximum visits of an answer: each has its events. */
export const VISITS_LIMIT_MAX = 200;
/** Maximum of the parameter `minPageviews`. */
export const MIN_PAGEVIEWS_MAX = 1_000;

export const VisitsQuery = t.Object(
  {
    ...rangeFields,
    ...selectionFields,
    minPageviews: t.Optional(
      integerText({
        minimum: 1,
        maximum: MIN_PAGEVIEWS_MAX,
        description: 'Leaves out visits with fewer pageviews.',
      }),
    ),
    ...pageFields(STATS_LIMIT_DEFAULT, VISITS_LIMIT_MAX),
    ...formatField,
  },
  { additionalProperties: true },
);

const orNull = (description: string) => t.Union([t.String(), t.Null()], { description });

const VisitStep = t.Object(
  {
    createdAt: instant('When it happened.'),
    eventType: choice(EVENT_TYPES, { description: 'What happened.' }),
    page: t.String({ description: 'Path of the page.' }),
    name: orNull('Name of a custom event, or text or target of a click.'),
  },
  { title: 'VisitStep', description: 'One event of a visit.' },
);

const clientFields = Object.fromEntries(
  CLIENT_DIMENSIONS.map((name) => [name, orNull(DIMENSION_DESCRIPTIONS[name])]),
) as Record<ClientDimension, ReturnType<typeof orNull>>; // one for each

export const ListedVisit = t.Object(
  {
    visitorId: t.String({ description: 'As the client sent it: one browser.' }),
    sessionId: t.String({ description: 'Session of the first event.' }),
    ...Visit.properties,
    ...clientFields,
    deviceType: t.Union([choice(DEVICE_TYPES), t.Null()], { description: 'Kind of device.' }),
    duration: t.Number({ minimum: 0, description: 'Seconds from the first to the last event.' }),
    goals: t.Array(t.String(), { description: 'Names of the goals that were reached.' }),
    revenue: RevenueList,
    steps: t.Array(VisitStep, { description: `First ${VISIT_STEPS_MAX} events, in the order of time.` }),
  },
  { title: 'ListedVisit', description: 'A visit, whole, with what happened in it.' },
);

export const VisitList = t.Object(
  {
    range: ResolvedRange,
    visits: t.Array(ListedVisit, {
      description: 'The latest active first. Filters choose the rows; a row is the whole visit.',
    }),
    pagination: Pagination,
  },
  { description: 'A page of visits.' },
);
export type VisitList = typeof VisitList.static;
export type ListedVisit = typeof ListedVisit.static;
