import type { AttributionRequest } from '../../analytics/analytics.ts';
import type { Parameters } from '../../http/parameters.ts';
import { LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import {
  ATTRIBUTION_DAYS_DEFAULT,
  ATTRIBUTION_DAYS_MAX,
  ATTRIBUTION_DIMENSIONS,
  type AttributionDimension,
} from '../../vocabulary/contract.ts';
import { readPage } from './breakdown-parameters.ts';
import { requireGoal } from './goal-parameters.ts';
import type { Question } from './open-question.ts';
import type { Asked } from './selection.ts';

export type AskedAttribution = {
  asked: Asked;
  goalId: string;
  dimension: AttributionDimension;
  lookbackDays: number;
  limit: number;
  request: AttributionRequest;
};

const DAY_MS = 86_400_000;
const LOOKBACK_LENGTH_MAX = 10;
const NEVER = { op: 'or', filters: [] } as const;

/** Faults are left with the parameters. */
export function readAttribution({ parameters, subject, asked }: Question): AskedAttribution {
  const goal = requireGoal(parameters, subject);
  const dimension = parameters.choice('dimension', ATTRIBUTION_DIMENSIONS) ?? 'source';
  const lookbackDays = readDays(parameters);
  const { limit } = readPage(parameters, LIST_LIMIT_MAX);
  return {
    asked,
    goalId: goal?.goal.id ?? '',
    dimension,
    lookbackDays,
    limit,
    request: {
      ...asked.selection,
      condition: goal?.condition ?? NEVER, // a fault was told
      dimension,
      lookbackMs: lookbackDays * DAY_MS,
    },
  };
}

function readDays(parameters: Parameters): number {
  const text = parameters.text('lookback', LOOKBACK_LENGTH_MAX);
  if (text === undefined) return ATTRIBUTION_DAYS_DEFAULT;
  const days = Number(/^([1-9]\d{0,2})d$/.exec(text)?.[1] ?? 0);
  if (days > 0 && days <= ATTRIBUTION_DAYS_MAX) return days;
  parameters.fault('lookback', `Must be such as 7d or 90d, at most ${ATTRIBUTION_DAYS_MAX}d`);
  return ATTRIBUTION_DAYS_DEFAULT;
}
