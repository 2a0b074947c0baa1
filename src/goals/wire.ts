import type { Goal } from '../contract/goal.ts';
import type { goals } from '../db/schema.ts';
import { toAmount } from '../vocabulary/money.ts';

export type GoalRow = typeof goals.$inferSelect;

/** Converts a row to the API's form. */
export function toGoal(row: GoalRow): Goal {
  const { id, name, type, match, properties, isPublic, archivedAtMs, createdAtMs, updatedAtMs } = row;
  return {
    id,
    name,
    type,
    match,
    properties: properties as Goal['properties'], // as the contract has let them in
    value: toValue(row),
    isPublic,
    isArchived: archivedAtMs !== null,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  };
}

function toValue({ valueMinor, currency }: GoalRow): Goal['value'] {
  return valueMinor === null || currency === null
    ? null
    : { amount: toAmount(valueMinor, currency), currency };
}
