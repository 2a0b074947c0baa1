import type { Access } from '../../access/access.ts';
import { hiddenError } from '../../access/refusals.ts';
import type { CountedGoal, Goals } from '../../goals/service.ts';
import type { JudgedSegment, Segments, StoredSegment } from '../../saved/segments.ts';
import { FILTERS_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { requireUtc } from '../time/zone.ts';
import { parseFilters } from './filters.ts';
import { bindGoals } from './goals.ts';
import type { Known, KnownSegment, ReadFilter } from './segments.ts';

type Deps = { goals: Pick<Goals, 'listCounted'>; segments: Pick<Segments, 'listAsStored'> };

/**
 * Finds the names that filters may use. The public knows the goals and segments that the owner shows, without goals of
 * custom events when those are hidden. Members know all of them, and the segments that they made for themselves.
 */
export async function findKnown(
  { goals, segments }: Deps,
  { website: { key }, role, userId, hides, link }: Access,
): Promise<Known> {
  const callerId = role === 'public' ? null : (userId ?? null);
  const [all, saved] = await Promise.all([goals.listCounted(key), segments.listAsStored({ key, callerId })]);
  const propertiesError = hides.includes('properties') ? hiddenError('properties', role) : undefined;
  if (role !== 'public')
    return { goals: all, segments: saved.map((segment) => toKnown(segment, all)), propertiesError };
  const hidesEvents = hides.includes('customEvents');
  return {
    propertiesError,
    goals: all.filter(({ goal }) => goal.isPublic && !(hidesEvents && goal.type === 'event')),
    // The owner decides what a segment selects, even by a goal that is not shown.
    segments: link?.filters.length
      ? [] // their names may be about what the link leaves out
      : saved.filter(({ isPublic }) => isPublic).map((segment) => toKnown(segment, all)),
  };
}

/** Reads a segment when a filter of the request first names it. */
function toKnown({ id, name, filters }: StoredSegment, goals: readonly CountedGoal[]): KnownSegment {
  const known = { goals, segments: undefined };
  const readIn = new Map<string, ReadFilter>();
  return {
    id,
    name,
    read(zone) {
      const read = readIn.get(zone.name) ?? parseFilters(JSON.parse(filters), known, zone, { isSaved: true });
      readIn.set(zone.name, read);
      return read;
    },
  };
}

/** Returns the faults of filters that were valid when saved: their goals may have been deleted. */
export function judgeSavedSegment(filters: readonly unknown[], goals: readonly CountedGoal[]): string[] {
  const read = parseFilters(filters, { goals, segments: undefined }, requireUtc(), { isSaved: true });
  return 'faults' in read ? read.faults : [];
}

/** Returns the stored form of a segment's filters, and their faults. */
export function judgeSegment(given: readonly unknown[], goals: readonly CountedGoal[]): JudgedSegment {
  const filters = bindGoals(given, goals);
  if (JSON.stringify(filters).length > FILTERS_LENGTH_MAX)
    return { filters, faults: [`Must be at most ${FILTERS_LENGTH_MAX} characters`] };
  const read = parseFilters(filters, { goals, segments: undefined }, requireUtc());
  return { filters, faults: 'faults' in read ? read.faults : [] };
}
