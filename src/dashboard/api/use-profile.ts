import type { WebsiteProfile } from '../../contract/website-profile.ts';
import { ask, type Place } from './place.ts';
import { useAnswer } from './use-answer.ts';

/** Until the first event is there, somebody waits for it. */
const WAIT_MS = 3_000;

/** Name, domain, time zone and beginning of the website. */
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
