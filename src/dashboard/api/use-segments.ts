import type { SegmentNames } from '../../contract/segment.ts';
import { ask, type Place } from './place.ts';
import { useAnswer } from './use-answer.ts';

export const SEGMENT = 'segment';

/** Segments available as filters. @param isWanted asks only when true */
export function useSegments(place: Place | undefined, isWanted: boolean) {
  const { answer } = useAnswer(place && isWanted ? `segments ${place.base}` : undefined, (signal) =>
    place ? ask<SegmentNames>(place, '/profile/segments', {}, signal) : Promise.resolve({ segments: [] }),
  );
  return answer?.segments;
}
