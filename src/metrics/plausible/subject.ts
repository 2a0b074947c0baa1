import type { WebsiteRow } from '../../websites/store.ts';
import { findKnown } from '../question/known.ts';
import type { QuestionDeps } from '../question/open-question.ts';
import type { Known } from '../question/segments.ts';
import { findZone } from '../time/zone.ts';
import type { RangeSubject } from './ranges.ts';

/** What a question depends on beside its words. */
export type PlausibleSubject = RangeSubject & Known;

/** Days are those of the website's time zone. */
export async function toPlausibleSubject(deps: QuestionDeps, website: WebsiteRow): Promise<PlausibleSubject> {
  const { log, now } = deps;
  const zone = findZone(website.timezone);
  if (!zone) throw new Error('The time zone of a website is unknown to Intl.');
  return {
    zone,
    nowMs: now(),
    findBeganAtMs: async () => (await log.findFirstMs(website.key)) ?? website.createdAtMs,
    ...(await findKnown(deps, { website, isOwner: true })),
  };
}
