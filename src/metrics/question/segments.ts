import type { Filter } from '../../analytics/interface/selection.ts';
import type { SavedSegment } from '../../contract/segment.ts';
import type { CountedGoal } from '../../goals/service.ts';
import type { AppError } from '../../vocabulary/errors.ts';
import type { Zone } from '../time/zone.ts';
import { quote } from './dimensions.ts';
import type { FilterSize } from './filter-tree.ts';
import type { Member } from './website-set.ts';

export type ReadFilter = { size: FilterSize } & ({ filter: Filter } | { faults: string[] });

/** The names that a caller may use in filters. */
export type Known = {
  /** Goals, including archived ones. */
  goals: readonly CountedGoal[];
  /** Segments; undefined within a segment, which must not name others. */
  segments: readonly KnownSegment[] | undefined;
  /** Websites of a set; undefined for one website. */
  members?: readonly Member[] | undefined;
  /**
   * Thrown for filters that name a property, where properties are hidden from the caller. Goals and segments that name one
   * are the owner's decision.
   */
  propertiesError?: AppError | undefined;
};
export type KnownSegment = Pick<SavedSegment, 'id' | 'name'> & { read: (zone: Zone) => ReadFilter };

type Found = { filter: Filter } | { part: number; sentence: string };

/**
 * Converts a condition on segments, by id or name, to their filters.
 *
 * @param add called with the size of each segment; reading stops once it returns false
 */
export function findSegments(
  segments: Known['segments'],
  operator: unknown,
  values: readonly string[],
  { zone, add }: { zone: Zone; add: (size: FilterSize) => boolean },
): Found {
  if (!segments) return { part: 1, sentence: 'A segment cannot hold another segment' };
  if (operator !== 'is' && operator !== 'is_not')
    return { part: 0, sentence: 'segment can be asked with is and is_not' };
  const filters: Filter[] = [];
  for (const value of new Set(values)) {
    const segment = segments.find(({ id }) => id === value) ?? segments.find(({ name }) => name === value);
    if (!segment) return { part: 2, sentence: `Unknown segment ${quote(value)}: it may have been deleted` };
    const read = segment.read(zone);
    if ('faults' in read)
      return { part: 2, sentence: `Segment ${quote(segment.name)}: ${read.faults.join('. ')}` };
    filters.push(read.filter);
    if (!add(read.size)) break;
  }
  const filter: Filter = { op: 'or', filters };
  return { filter: operator === 'is' ? filter : { op: 'not', filter } };
}
