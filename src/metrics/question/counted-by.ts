import type { Analytics } from '../../analytics/analytics.ts';
import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import type { VisitorsCountedBy } from '../../vocabulary/analytics.ts';
import { validationError } from '../../vocabulary/errors.ts';

/** Finds how the visitors of a range are counted; undefined when all are counted by browser. */
export async function findCountedBy(
  analytics: Pick<Analytics, 'values'>,
  { hasAnonymous }: { hasAnonymous: boolean },
  { filter: _, ...selection }: Selection,
): Promise<VisitorsCountedBy | undefined> {
  if (!hasAnonymous) return undefined;
  const values = await analytics.values({ ...selection, dimension: 'countedBy', limit: 2 });
  if (!values.some(({ value }) => value === 'day')) return undefined;
  return values.length > 1 ? 'mixed' : 'day';
}

/**
 * Refuses questions about visitors over several days when every visitor of the range is counted by day.
 *
 * @param field parameter that asks for them
 * @throws AppError VALIDATION_ERROR
 */
export function requireLastingVisitors(
  countedBy: VisitorsCountedBy | undefined,
  field: 'period' | 'filters',
): void {
  if (countedBy !== 'day') return;
  const reason =
    'Unavailable: the visitors of this range are counted by day, so none of them is known to return';
  throw validationError('Invalid query parameters', { [field]: [reason] });
}

/** Whether a filter depends on the first visits of visitors. */
export function needsLastingVisitors(filter: Filter | undefined): boolean {
  switch (filter?.op) {
    case undefined:
    case 'website':
      return false;
    case 'and':
    case 'or':
      return filter.filters.some(needsLastingVisitors);
    case 'not':
    case 'has_done':
      return needsLastingVisitors(filter.filter);
    case 'first_visit':
    case 'first_seen':
      return true;
    case 'match':
      return filter.dimension === 'visitorType';
  }
}
