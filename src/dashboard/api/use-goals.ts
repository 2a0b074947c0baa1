import type { Goal } from '../../contract/goal.ts';
import { call } from './client.ts';
import type { Place } from './place.ts';
import { useAnswer } from './use-answer.ts';

/** All goals of a website, including archived ones; none on the public dashboard. @param isWanted asks only when true */
export function useGoals(place: Place | undefined, isWanted = true) {
  const { websiteId, base } = place && !place.isPublic && isWanted ? place : {};
  return useAnswer(base && `goal list ${base}`, (signal) =>
    call<{ goals: Goal[] }>('GET', `/websites/${encodeURIComponent(websiteId ?? '')}/goals`, {
      query: { archived: true },
      signal,
    }),
  );
}
