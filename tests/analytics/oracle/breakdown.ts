import type {
  Breakdown,
  BreakdownAnswer,
  BreakdownRow,
  Value,
  ValuesRequest,
} from '../../../src/analytics/interface/query.ts';
import type { Dimension } from '../../../src/vocabulary/analytics.ts';
import { toFigures, toPageFigures } from './figures.ts';
import { formsOf } from './forms.ts';
import { dimensionOf, type Match } from './selection.ts';

/** Always all metrics, whichever are asked for. */
export function breakDown(
  matches: readonly Match[],
  request: Breakdown,
  withWeights?: boolean,
): BreakdownAnswer {
  const { dimension, sort, limit, offset = 0, search, withAbsent = false, only } = request;
  const rows = groupByValue(matches, dimension)
    .filter(({ value }) => {
      if (only) return only.includes(value || null);
      return value === '' ? withAbsent && !search : containsText(value, search, dimension);
    })
    .map(({ value, matches: own }): BreakdownRow => {
      const figures =
        dimension === 'page'
          ? toPageFigures(value, own, matches, withWeights)
          : toFigures(own, {}, withWeights);
      return { value: value || null, ...figures };
    });
  sortRows(rows, sort ?? { by: 'visitors', descending: true });
  return { dimension, rows: rows.slice(offset, offset + limit), total: rows.length };
}

export function listValues(matches: readonly Match[], request: ValuesRequest): Value[] {
  return groupByValue(matches, request.dimension)
    .filter(({ value }) => value !== '' && containsText(value, request.search, request.dimension))
    .map(({ value, matches }) => ({ value, events: matches.length }))
    .sort((a, b) => b.events - a.events || compareTexts(a.value, b.value))
    .slice(0, request.limit);
}

/** By value; '' is the absent one. */
export function groupByValue(
  matches: readonly Match[],
  dimension: Dimension,
): { value: string; matches: Match[] }[] {
  const groups = new Map<string, Match[]>();
  for (const match of matches) {
    const value = dimensionOf(match, dimension);
    const group = groups.get(value);
    if (group) group.push(match);
    else groups.set(value, [match]);
  }
  return [...groups].map(([value, matches]) => ({ value, matches }));
}

export function sortRows<Column extends string>(
  rows: (Record<Column, number> & { value: string | null })[],
  { by, descending }: { by: Column | 'value'; descending: boolean },
): void {
  const sign = descending ? -1 : 1;
  rows.sort((a, b) => {
    const byValue = compareTexts(a.value, b.value);
    return by === 'value' ? sign * byValue : sign * (a[by] - b[by]) || byValue;
  });
}

/** Ascending by UTF-16 code units, the absent value first. */
export function compareTexts(a: string | null, b: string | null): number {
  const [left, right] = [a ?? '', b ?? ''];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Without a text to look for, every value is kept. */
export function containsText(value: string, search = '', dimension: Dimension): boolean {
  return formsOf(search, dimension).some((form) => value.toLowerCase().includes(form.toLowerCase()));
}
