import type { Journeys } from '../../metrics/reports/journeys.ts';
import type { JourneyState, JourneyStop } from './journey-state.ts';

export function nameOfBranch({ stop, value }: Journeys['branches'][number]): string {
  if (stop === 'other') return '(other)';
  return value ?? '(none)';
}

export const nameOfStop = ({ value }: JourneyStop): string => value || '(none)';

export function nameOfAnchor({ kind, value, direction }: JourneyState): string {
  if (kind !== 'visit') return value;
  return direction === 'from' ? 'Visit start' : 'Visit end';
}
