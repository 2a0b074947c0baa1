import type { Journeys } from '../../metrics/reports/journeys.ts';
import type { FunnelState, StepPart } from '../funnels/funnel-state.ts';
import type { Filter } from '../state/view-state.ts';
import type { JourneyState, JourneyStop } from './journey-state.ts';

/** Pinned steps of journeys, as branches of an answer, as filters and as a funnel. */

type Branches = Journeys['branches'];

/** Indices of the branches that the pins lead along; pins that the answer does not have end it. */
export function pinnedBranches(branches: Branches, pins: readonly JourneyStop[]): number[] {
  const path: number[] = [];
  for (const { kind, value } of pins) {
    const parent = path.at(-1) ?? null;
    const found = branches.findIndex(
      (branch) => branch.parent === parent && branch.stop === kind && (branch.value ?? '') === value,
    );
    if (found < 0) break;
    path.push(found);
  }
  return path;
}

/** Pins that lead to a branch. */
export function pinsTo(branches: Branches, index: number): JourneyStop[] {
  const branch = branches[index];
  if (!branch || branch.stop === 'other') return [];
  const before = branch.parent === null ? [] : pinsTo(branches, branch.parent);
  return [...before, { kind: branch.stop, value: branch.value ?? '' }];
}

/** Filters of the visits that have the anchor and all pinned steps, in any order. */
export function filtersOf({ kind, value, pins }: JourneyState): Filter[] {
  const anchor = kind === 'visit' ? [] : [{ kind, value }];
  const stops = [...anchor, ...pins].map(
    (stop): Filter => ({
      operator: stop.kind === 'page' && stop.value.includes('*') ? 'like' : 'is',
      dimension: `has_done:${stop.kind}`,
      values: [stop.value],
    }),
  );
  return [...new Map(stops.map((filter) => [JSON.stringify(filter), filter])).values()];
}

/** Funnel of the anchor and the pinned steps in the order of time; undefined when a step has no name. */
export function funnelOf({ direction, kind, value, pins }: JourneyState): FunnelState | undefined {
  const anchor: StepPart[] = kind === 'visit' ? [] : [{ kind, value }];
  const parts: StepPart[] = [...anchor, ...pins];
  if (parts.length === 0 || parts.some((part) => part.value === '')) return undefined;
  const inTime = direction === 'from' ? parts : parts.toReversed();
  const entered: StepPart[] = inTime.length === 1 ? [{ kind: 'any', value: '' }] : [];
  return { steps: [...entered, ...inTime].map((part) => [part]), by: 'visit', order: 'loose', window: '' };
}
