import type { FunnelUnit } from '../../vocabulary/contract.ts';
import type { Filter, Scope } from '../state/view-state.ts';
import type { FunnelStep } from './funnel-state.ts';

type Lost = {
  steps: readonly FunnelStep[];
  by: FunnelUnit;
  /** Index of the step that they reached last. */
  at: number;
  /** Page that they went to; null when they left. Without it, all of them. */
  next?: string | null;
};

/**
 * Filters of the visits in which the next step is missing; undefined when filters cannot say it. Visitors may have taken
 * the earlier steps in other visits.
 */
export function lostVisits({ steps, by, at, next }: Lost): Filter[] | undefined {
  const reached = steps.slice(by === 'visit' ? 0 : at, at + 1).map((step) => inVisit('has_done', step));
  const missing = inVisit('has_not_done', steps[at + 1] ?? []);
  const last = reached.at(-1);
  if (!last || !missing || reached.includes(undefined)) return undefined;
  const filters = [...reached.filter((filter) => filter !== undefined), missing];
  if (next === undefined) return filters;
  if (next !== null) return [...filters, { operator: 'is', dimension: 'has_done:page', values: [next] }];
  // They left: the page of the step is the last one of the visit.
  if (last.dimension !== 'has_done:page') return undefined;
  return [...filters, { operator: last.operator, dimension: 'exitPage', values: last.values }];
}

/** A step as a condition on the visit; undefined when its alternatives differ in kind. */
function inVisit(scope: Scope, step: FunnelStep): Filter | undefined {
  const [first] = step;
  const kinds = new Set(step.map(({ kind, value }) => `${kind} ${kind === 'page' && value.includes('*')}`));
  if (!first || first.kind === 'filter' || kinds.size > 1) return undefined;
  if (first.kind === 'any') return { operator: 'is', dimension: `${scope}:eventType`, values: ['pageview'] };
  const isPattern = first.kind === 'page' && first.value.includes('*');
  return {
    operator: isPattern ? 'like' : 'is',
    dimension: `${scope}:${first.kind}`,
    values: step.map(({ value }) => value),
  };
}
