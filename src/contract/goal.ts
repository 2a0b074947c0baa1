import { t } from 'elysia';
import {
  FILTER_OPERATORS,
  type FilterOperator,
  isPatternOperator,
  type PatternOperator,
} from '../vocabulary/analytics.ts';
import {
  GOAL_CLICKS,
  GOAL_MATCH_LENGTH_MAX,
  GOAL_PROPERTIES_MAX,
  GOAL_TYPES,
  GOAL_VALUES_MAX,
  GOALS_MAX,
  PROPERTY_KEY_LENGTH_MAX,
} from '../vocabulary/contract.ts';
import { choice, integer, nameOf, opaqueId, PLAIN, timestamps } from './types.ts';

/** Operators without regular expressions, which would be too slow: the goals of a website are evaluated together. */
const GOAL_OPERATORS = FILTER_OPERATORS.filter(
  (operator): operator is Exclude<FilterOperator, PatternOperator> => !isPatternOperator(operator),
);

const name = nameOf('What the goal is called; once a website. Trimmed.', 'Purchase');
const type = choice(GOAL_TYPES, {
  description:
    'What reaches it. page: a pageview. event: a custom event. click: a click on a link, as the tracker tells them apart.',
  examples: ['page'],
});
const match = t.String({
  ...PLAIN,
  minLength: 1,
  maxLength: GOAL_MATCH_LENGTH_MAX,
  description: `page: a path; \`*\` stands for any text without a slash, \`**\` for any text. event: its name. click: ${GOAL_CLICKS.join(', ')}. Trimmed.`,
  examples: ['/thanks'],
});
const GoalProperty = t.Object(
  {
    key: t.String({
      minLength: 1,
      maxLength: PROPERTY_KEY_LENGTH_MAX,
      description: 'A key of the properties of the event.',
      examples: ['plan'],
    }),
    operator: choice(GOAL_OPERATORS, {
      description: 'As in filters, but for regular expressions.',
      examples: ['is'],
    }),
    values: t.Array(t.String({ maxLength: GOAL_MATCH_LENGTH_MAX, description: 'Empty: absent.' }), {
      minItems: 1,
      maxItems: GOAL_VALUES_MAX,
      description: 'Any of them will do; of operators with not, none of them may.',
      examples: [['pro']],
    }),
  },
  { title: 'GoalProperty', description: 'What a property of the event must be.' },
);
const properties = t.Array(GoalProperty, {
  maxItems: GOAL_PROPERTIES_MAX,
  description: 'Conditions on properties of the event; all of them must hold.',
  examples: [[]],
});
export const Money = t.Object(
  {
    amount: t.String({
      description: 'A decimal number with at most the digits that the currency has.',
      examples: ['19.90'],
    }),
    currency: t.String({ description: 'A code of ISO 4217.', examples: ['EUR'] }),
  },
  { title: 'Money', description: 'An amount of a currency.' },
);
const value = t.Union([Money, t.Null()], {
  description: 'What one conversion is worth; null: nothing is said of it.',
  'x-messages': { type: 'Must be an amount such as {"amount":"19.90","currency":"EUR"}, or null' },
});
const isPublic = t.Boolean({
  description: 'Whether the public sees its figures, while the website is public. Default: false.',
});
const isArchived = t.Boolean({
  description: 'Archived goals are kept, and neither listed nor counted unless they are asked for by name.',
});

/** POST /websites/:id/goals. */
export const GoalInput = t.Object(
  {
    name,
    type,
    match,
    properties: t.Optional(properties),
    value: t.Optional(value),
    isPublic: t.Optional(isPublic),
  },
  { additionalProperties: true },
);
export type GoalInput = typeof GoalInput.static;

/** PATCH /websites/:id/goals/:goalId. Absent fields stay. */
export const GoalUpdate = t.Object(
  {
    name: t.Optional(name),
    type: t.Optional(type),
    match: t.Optional(match),
    properties: t.Optional(properties),
    value: t.Optional(value),
    isPublic: t.Optional(isPublic),
    isArchived: t.Optional(isArchived),
  },
  { additionalProperties: true },
);
export type GoalUpdate = typeof GoalUpdate.static;

export const Goal = t.Object(
  {
    id: opaqueId,
    name: t.String({ description: 'What it is called.', examples: ['Purchase'] }),
    type,
    match: t.String({ description: 'The path, the name or the kind of click.', examples: ['/thanks'] }),
    properties,
    value,
    isPublic,
    isArchived,
    ...timestamps,
  },
  { title: 'Goal', description: 'What you want visitors to do.' },
);
export type Goal = typeof Goal.static;

export const GoalList = t.Object(
  {
    goals: t.Array(Goal, { description: 'By name.' }),
    total: integer({ minimum: 0, maximum: GOALS_MAX, description: 'How many there are.' }),
  },
  { description: 'The goals of a website.' },
);
export const GoalsAdded = t.Object(
  { goals: t.Array(Goal, { description: 'Those that were not there yet.' }) },
  { description: 'What was added.' },
);
