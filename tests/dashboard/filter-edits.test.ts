import { expect, test } from 'bun:test';
import { editFilters, editOf, type FilterEdit } from '../../src/dashboard/state/filter-edits.ts';
import { readViewState, toSearch } from '../../src/dashboard/state/view-state.ts';

const cases: [before: string, edit: FilterEdit, value: string, after: string][] = [
  ['', 'only', 'DE', '?f=is,country,DE'],
  ['?f=is,country,DE', 'only', 'FR', '?f=is,country,FR'],
  ['?f=is,country,DE', 'only', 'DE', ''],
  ['?f=is,country,DE', 'or', 'FR', '?f=is,country,DE|FR'],
  ['?f=is,country,DE|FR', 'or', 'FR', '?f=is,country,DE'],
  ['?f=is,country,DE|FR', 'only', 'IT', '?f=is,country,DE|FR|IT'],
  ['?f=is,country,DE', 'exclude', 'FR', '?f=is,country,DE&f=is_not,country,FR'],
  ['?f=is_not,country,FR', 'exclude', 'IT', '?f=is_not,country,FR|IT'],
  ['?f=is_not,country,FR', 'exclude', 'FR', ''],
  ['?f=is,page,/a&f=is,country,DE', 'only', 'FR', '?f=is,page,/a&f=is,country,FR'],
];

test.each(cases)('%p, %s %s: %p', (before, edit, value, after) => {
  const state = readViewState(before);
  expect(toSearch({ ...state, filters: editFilters(state.filters, 'country', value, edit) })).toBe(after);
});

test('Alt excludes, Shift adds', () => {
  expect(editOf({ altKey: false, shiftKey: false })).toBe('only');
  expect(editOf({ altKey: true, shiftKey: true })).toBe('exclude');
  expect(editOf({ altKey: false, shiftKey: true })).toBe('or');
});
