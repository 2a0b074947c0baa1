import type { Goal } from '../../contract/goal.ts';
import type { GoalType } from '../../contract/vocabulary.ts';

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

/** What reaches a goal, in a few words. */
export function tellGoal({ type, match, properties }: Pick<Goal, 'type' | 'match' | 'properties'>): string {
  const what = {
    page: `Visits ${match}`,
    event: `Event ${match}`,
    click: `Clicks on links ${CLICK_NAMES[match] ?? match}`,
  };
  const where = properties.map(
    ({ key, operator, values }) => `${key} ${operator.replaceAll('_', ' ')} ${values.join(' or ')}`,
  );
  return [what[type], ...where].join(', ');
}
