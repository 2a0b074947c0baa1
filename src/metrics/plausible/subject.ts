import type { Access } from '../../access/access.ts';
import { hiddenError } from '../../access/refusals.ts';
import { findKnown } from '../question/known.ts';
import type { QuestionDeps } from '../question/open-question.ts';
import type { Known } from '../question/segments.ts';
import { findZone } from '../time/zone.ts';
import type { RangeSubject } from './ranges.ts';

/** Context of a query besides its text. */
export type PlausibleSubject = RangeSubject & Known;

/** Uses the website's time zone for days. */
export async function toPlausibleSubject(deps: QuestionDeps, access: Access): Promise<PlausibleSubject> {
  const { log, now } = deps;
  const { website } = access;
  const zone = findZone(website.timezone);
  if (!zone) throw new Error('Intl does not know the time zone of the website.');
  return {
    zone,
    nowMs: now(),
    findBeganAtMs: async () => (await log.findFirstMs(website.key)) ?? website.createdAtMs,
    ...(await findKnown(deps, access)),
  };
}

/** @throws AppError FORBIDDEN when a query names a property, in whichever place, and these are hidden from the caller */
export function requireShownProperties({ role, hides }: Access, query: unknown): void {
  if (hides.includes('properties') && NAMES_PROPERTY.test(JSON.stringify(query) ?? ''))
    throw hiddenError('properties', role);
}
const NAMES_PROPERTY = /(event:props|property):/;
