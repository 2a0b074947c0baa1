import type { WebsiteRow } from '../../websites/store.ts';
import { findKnown } from '../question/known.ts';
import type { QuestionDeps } from '../question/open-question.ts';
import type { Known } from '../question/segments.ts';
import { findZone } from '../time/zone.ts';
import type { RangeSubject } from './ranges.ts';

/** Context of a query besides its text. */
export type PlausibleSubject = RangeSubject & Known;

/** Uses the website's time zone for days. */
export async function toPlausibleSubject(deps: QuestionDeps, website: WebsiteRow): Promise<PlausibleSubject> {
  const { log, now } = deps;
  const zone = findZone(website.timezone);
  if (!zone) throw new Error('Intl does not know the time zone of the website.');
  return {
    zone,
    nowMs: now(),
    findBeganAtMs: async () => (await log.findFirstMs(website.key)) ?? website.createdAtMs,
    ...(await findKnown(deps, { website, isOwner: true })),
  };
}
