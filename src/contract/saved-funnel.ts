import { t } from 'elysia';
import { FUNNEL_STEPS_MAX } from '../vocabulary/analytics.ts';
import { FUNNEL_ORDERS, FUNNEL_UNITS, FUNNEL_WINDOW_DAYS_MAX, FUNNELS_MAX } from '../vocabulary/contract.ts';
import { choice, integer, nameOf, opaqueId, timestamps } from './types.ts';

const name = nameOf('What the funnel is called; once a website. Trimmed.', 'From the prices to a purchase');
const steps = t.Array(t.Any(), {
  description: `2 to ${FUNNEL_STEPS_MAX} conditions, as the question for a funnel has them. Goals are kept by their ids, so they may be renamed.`,
  examples: [
    [
      ['is', 'page', ['/pricing']],
      ['is', 'goal', ['Purchase']],
    ],
  ],
});
const by = choice(FUNNEL_UNITS, { description: 'What is counted. visitor at first.' });
const order = choice(FUNNEL_ORDERS, { description: 'What may lie between the steps. loose at first.' });
const window = t.Union([t.String(), t.Null()], {
  description: `How long after the first step the others count, such as 30m, 12h, 7d; at most ${FUNNEL_WINDOW_DAYS_MAX}d. null: anywhere in the range.`,
  examples: ['7d'],
});

/** POST /websites/:id/funnels. */
export const FunnelInput = t.Object(
  { name, steps, by: t.Optional(by), order: t.Optional(order), window: t.Optional(window) },
  { additionalProperties: true },
);
export type FunnelInput = typeof FunnelInput.static;

/** PATCH /websites/:id/funnels/:funnelId. Absent fields stay. */
export const FunnelUpdate = t.Object(
  {
    name: t.Optional(name),
    steps: t.Optional(steps),
    by: t.Optional(by),
    order: t.Optional(order),
    window: t.Optional(window),
  },
  { additionalProperties: true },
);
export type FunnelUpdate = typeof FunnelUpdate.static;

export const SavedFunnel = t.Object(
  {
    id: opaqueId,
    name,
    steps,
    by,
    order,
    window,
    faults: t.Array(t.String(), {
      description: 'Why it cannot be asked any more: a goal or a segment of it was deleted.',
    }),
    ...timestamps,
  },
  { title: 'SavedFunnel', description: 'A funnel under a name.' },
);
export type SavedFunnel = typeof SavedFunnel.static;

export const FunnelList = t.Object(
  {
    funnels: t.Array(SavedFunnel, { description: 'By name.' }),
    total: integer({ minimum: 0, maximum: FUNNELS_MAX, description: 'How many there are.' }),
  },
  { description: 'The funnels of a website.' },
);
