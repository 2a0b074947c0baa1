import { findFirstEventMs } from '../../log/first-event.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import type { QuestionDeps } from '../question/open-question.ts';
import { findZone } from '../time/zone.ts';
import type { RangeSubject } from './ranges.ts';

/** What ranges of a website depend on: days are those of its time zone. */
export function toRangeSubject({ db, now }: QuestionDeps, website: WebsiteRow): RangeSubject {
  const zone = findZone(website.timezone);
  if (!zone) throw new Error('The time zone of a website is unknown to Intl.');
  return {
    zone,
    nowMs: now(),
    findBeganAtMs: async () => (await findFirstEventMs(db, website.key)) ?? website.createdAtMs,
  };
}
