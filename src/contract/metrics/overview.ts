import { t } from 'elysia';
import { INTERVALS, OVERVIEW_POINTS_MAX } from '../../vocabulary/contract.ts';
import { pageFields } from '../list-query.ts';
import { choice, instant, integer } from '../types.ts';
import { figureFields, ResolvedRange, untilField } from './figures.ts';
import { comparisonField, formatField, intervalField, rangeFields } from './query.ts';

/** Websites without an earlier range have a comparison of zeros. */
const { compareEmpty: _, ...comparison } = comparisonField;

/** GET /stats/websites */
export const OverviewQuery = t.Object(
  {
    ...rangeFields,
    ...comparison,
    series: t.Optional(
      choice(['true', 'false'], {
        description: `true: also the visitors of each point, at most ${OVERVIEW_POINTS_MAX}. Default: false.`,
      }),
    ),
    ...intervalField,
    ...formatField,
    ...pageFields,
  },
  { additionalProperties: true },
);

const { visitors, visits, pageviews } = figureFields;
const headline = { visitors, visits, pageviews };
const change = t.Union([t.Number(), t.Null()], {
  description: 'In percent, of the earlier figure; null when that is 0.',
});

export const Overview = t.Object(
  {
    websites: t.Array(
      t.Object({
        websiteId: t.String({ description: 'id of the website.' }),
        name: t.String({ description: 'What it is called.' }),
        domain: t.String({ description: 'As submitted.' }),
        range: ResolvedRange,
        ...headline,
        comparison: t.Optional(
          t.Object(
            {
              range: ResolvedRange,
              ...untilField,
              ...headline,
              change: t.Object(
                { visitors: change, visits: change, pageviews: change },
                { description: 'Since the earlier range.' },
              ),
            },
            { description: 'Present with compare.' },
          ),
        ),
        series: t.Optional(
          t.Object(
            {
              interval: choice(INTERVALS, { description: 'The length of a point.' }),
              points: t.Array(
                t.Object({
                  time: instant('Where the point begins.'),
                  visitors,
                }),
                { description: 'Every one of the range.' },
              ),
            },
            { description: 'Present with series.' },
          ),
        ),
      }),
      { description: 'In order of creation.' },
    ),
    total: integer({ minimum: 0, description: 'How many websites there are.' }),
  },
  { description: 'The websites at a glance.' },
);
export type Overview = typeof Overview.static;
