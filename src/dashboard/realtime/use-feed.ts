import type { VisitList } from '../../contract/metrics/visits.ts';
import { ask, type Place } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';

const ROWS = 10;

/**
 * The latest visits with their events, the latest active first: one question.
 *
 * @param at asks again when it changes; undefined asks nothing
 */
export function useFeed(place: Place, filters: string | undefined, at: string | undefined) {
  return useAnswer(at === undefined ? undefined : `feed ${place.base} ${filters} ${at}`, (signal) =>
    ask<VisitList>(place, '/visits', { period: '24h', filters, limit: ROWS }, signal),
  );
}
