import type { CountedGoal } from '../../goals/service.ts';
import { findFirstEventMs } from '../../log/first-event.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import type { QuestionDeps } from '../question/open-question.ts';
import { findZone } from '../time/zone.ts';
import type { RangeSubject } from './ranges.ts';

/** What a question depends on beside its words. */
export type PlausibleSubject = RangeSubject & { goals: readonly CountedGoal[] };

/** Days are those of the website's time zone. */
export async function toPlausibleSubject(
  { db, goals, now }: QuestionDeps,
  website: WebsiteRow,
): Promise<PlausibleSubject> {
  const zone = findZone(website.timezone);
  if (!zone) throw new Error('The time zone of a website is unknown to Intl.');
  return {
    zone,
    nowMs: now(),
    findBeganAtMs: async () => (await findFirstEventMs(db, website.key)) ?? website.createdAtMs,
    goals: await goals.listCounted(website.key),
  };
}
