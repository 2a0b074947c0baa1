import type { Goal } from '../../contract/goal.ts';
import { describeCondition } from '../state/describe-condition.ts';
import { type FunnelStep, type StepPart, toPart } from './funnel-state.ts';

/** Names a step by its alternatives. */
export function nameOfStep(step: FunnelStep, goals: readonly Goal[]): string {
  return step.map((part) => nameOfPart(part, goals)).join(' or ');
}

export function nameOfPart(part: StepPart, goals: readonly Goal[]): string {
  const { kind, value } = part;
  if (kind === 'any') return 'Any page';
  if (kind === 'filter') return describeCondition(toPart(part), goals);
  return kind === 'event' ? `Event ${value}` : value;
}
