import type { CountedGoal, Goals } from '../../goals/service.ts';
import type { JudgedSegment, Segments } from '../../saved/segments.ts';
import { FILTERS_LENGTH_MAX } from '../../vocabulary/contract.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { requireUtc } from '../time/zone.ts';
import { parseFilters } from './filters.ts';
import { bindGoals } from './goals.ts';
import type { Known, KnownSegment } from './segments.ts';

type Deps = { goals: Pick<Goals, 'listCounted'>; segments: Pick<Segments, 'listRows'> };
type SegmentRow = Awaited<ReturnType<Segments['listRows']>>[number];

/** The public knows the goals and segments that the owner shows; no goals of custom events where these are kept back. */
export async function findKnown(
  { goals, segments }: Deps,
  { website, isOwner }: { website: WebsiteRow; isOwner: boolean },
): Promise<Known> {
  const [all, saved] = await Promise.all([goals.listCounted(website.key), segments.listRows(website)]);
  if (isOwner) return { goals: all, segments: saved.map((segment) => toKnown(segment, all)) };
  const hidesEvents = website.publicHides.includes('customEvents');
  return {
    goals: all.filter(({ goal }) => goal.isPublic && !(hidesEvents && goal.type === 'event')),
    // What a segment asks is its owner's decision, also when it asks for a goal that is not shown.
    segments: saved.filter(({ isPublic }) => isPublic).map((segment) => toKnown(segment, all)),
  };
}

/** It is read when a filter names it. */
function toKnown(
  { id, name, filters }: Pick<SegmentRow, 'id' | 'name' | 'filters'>,
  goals: readonly CountedGoal[],
): KnownSegment {
  return { id, name, read: (zone) => parseFilters(filters, { goals, segments: undefined }, zone) };
}

/** The filters of a segment as they are kept, and what is wrong with them. */
export function judgeSegment(given: readonly unknown[], goals: readonly CountedGoal[]): JudgedSegment {
  const filters = bindGoals(given, goals);
  if (JSON.stringify(filters).length > FILTERS_LENGTH_MAX)
    return { filters, faults: [`Must be at most ${FILTERS_LENGTH_MAX} characters`] };
  const read = parseFilters(filters, { goals, segments: undefined }, requireUtc());
  return { filters, faults: 'faults' in read ? read.faults : [] };
}
