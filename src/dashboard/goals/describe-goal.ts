import type { Goal } from '../../contract/goal.ts';
import type { GoalType } from '../../vocabulary/contract.ts';
import { OPERATOR_NAMES } from '../state/describe-filter.ts';
import { ownValue } from '../state/own-value.ts';
import { isAnyValue } from './goal-form.ts';

export const GOAL_TYPE_NAMES: Record<GoalType, string> = {
  page: 'Page visit',
  event: 'Custom event',
  click: 'Link click',
};

export const CLICK_NAMES: Record<string, string> = {
  outbound: 'to another website',
  download: 'to a file',
  mailto: 'to an e-mail address',
  tel: 'to a telephone number',
};

/** `Visits /thanks, plan is pro`: describes what reaches a goal. */
export function describeGoal({
  type,
  match,
  properties,
}: Pick<Goal, 'type' | 'match' | 'properties'>): string {
  const what = {
    page: `Visits ${match}`,
    event: `Event ${match}`,
    click: `Clicks on links ${ownValue(CLICK_NAMES, match) ?? match}`,
  };
  return [what[type], ...properties.map(describeProperty)].join(', ');
}

function describeProperty(property: Goal['properties'][number]): string {
  const { key, operator, values } = property;
  if (isAnyValue(property)) return `with ${key}`;
  if (operator === 'is' && values.join() === '') return `without ${key}`;
  return `${key} ${OPERATOR_NAMES[operator]} ${values.map((value) => value || '(none)').join(' or ')}`;
}
