import type { Filter } from './view-state.ts';

/** Change that a click on a row makes to the filters. `or` adds an alternative. */
export type FilterEdit = 'only' | 'exclude' | 'or';

/** The edit meant by the held modifier keys. */
export function editOf({ altKey, shiftKey }: { altKey: boolean; shiftKey: boolean }): FilterEdit {
  if (altKey) return 'exclude';
  return shiftKey ? 'or' : 'only';
}

/** The filters after a choice. Choosing a chosen value removes it. */
export function editFilters(filters: Filter[], dimension: string, value: string, edit: FilterEdit): Filter[] {
  const operator = edit === 'exclude' ? 'is_not' : 'is';
  const index = filters.findIndex((filter) => filter.dimension === dimension && filter.operator === operator);
  const before = filters[index];
  if (!before) return [...filters, { operator, dimension, values: [value] }];
  const has = before.values.includes(value);
  const isSole = before.values.length === 1;
  const values = has
    ? before.values.filter((other) => other !== value)
    : edit === 'only' && isSole
      ? [value]
      : [...before.values, value];
  return filters.flatMap((filter, position) =>
    position !== index ? [filter] : values.length > 0 ? [{ ...filter, values }] : [],
  );
}
