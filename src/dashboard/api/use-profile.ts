import type { WebsiteProfile } from '../../contract/website-profile.ts';
import { ask, type Place } from './place.ts';
import { useAnswer } from './use-answer.ts';

/** Interval of asking again until the first event arrives. */
const WAIT_MS = 3_000;

/** Name, domain, time zone and first event of the website. */
export function useProfile(place: Place) {
  const profile = useAnswer(`profile ${place.base}`, (signal) =>
    ask<WebsiteProfile>(place, '/profile', {}, signal),
  );
  const isWaiting = profile.answer?.firstEventAt === null;
  const later = useAnswer(
    isWaiting ? `profile again ${place.base}` : undefined,
    (signal) => ask<WebsiteProfile>(place, '/profile', {}, signal),
    { everyMs: WAIT_MS },
  );
  return isWaiting && later.answer ? { ...profile, answer: later.answer } : profile;
}
