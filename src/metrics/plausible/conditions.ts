import type { Filter } from '../../analytics/interface/selection.ts';
import type { Goal } from '../../contract/goal.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { toPatternTest } from '../../patterns/compiled.ts';
import type { Dimension } from '../../vocabulary/analytics.ts';
import type { Condition } from './condition.ts';
import type { DimensionPart, ValueDimension } from './dimensions.ts';
import type { Form } from './places.ts';

/** Converts a condition on texts of a dimension to a filter on our values. Any part may fulfil it. */
export function toFilter({ parts, goals }: ValueDimension, condition: Condition): Filter {
  if (goals) return { op: 'or', filters: findGoals(goals, condition).map((goal) => goal.condition) };
  return anyOf(parts.map((part) => ofPart(part, condition)));
}

/** Finds goals by name, or by Plausible's name for them. A goal's own name takes precedence. */
export function findGoals(goals: readonly CountedGoal[], condition: Condition): CountedGoal[] {
  if (condition.operator === 'is' && condition.values.length > 1)
    return [...new Set(condition.values)].flatMap((value) =>
      findGoals(goals, { ...condition, values: [value] }),
    );
  const test = toTest(condition);
  const named = goals.filter(({ goal }) => test(goal.name));
  const others = goals.filter((one) => !named.includes(one) && test(plausibleName(one.goal)));
  return condition.operator === 'is' && named.length > 0 ? named : [...named, ...others];
}

function plausibleName({ type, match }: Goal): string {
  return type === 'page' ? `Visit ${match}` : match;
}

function ofPart(part: DimensionPart, condition: Condition): Filter {
  const { dimension, names, form, within } = part;
  const own = form ? withoutAbsent(part, form, condition) : ofValues(part, condition);
  const filter = names ? withNames(dimension, names, { own, test: toTest(condition) }) : own;
  return within ? allOf([within, filter]) : filter;
}

function withNames(
  dimension: Dimension,
  names: NonNullable<DimensionPart['names']>,
  { own, test }: { own: Filter; test: (text: string) => boolean },
): Filter {
  const renamed = [...names].filter(([, texts]) => texts.some(test)).map(([value]) => value);
  return anyOf([isOneOf(dimension, renamed), allOf([not(isOneOf(dimension, [...names.keys()])), own])]);
}

/** The text for an absent value is not one of the form. */
function withoutAbsent({ dimension, absent }: DimensionPart, form: Form, condition: Condition): Filter {
  const values = condition.values.filter((value) => value !== absent);
  const filter = form.toFilter({ ...condition, values });
  const asksAbsent = condition.operator === 'is' && values.length < condition.values.length;
  return asksAbsent ? anyOf([isOneOf(dimension, ['']), filter]) : filter;
}

/** Converts a condition on values that are their own texts. */
function ofValues(
  { dimension, absent }: DimensionPart,
  { operator, values, ignoresCase = false }: Condition,
): Filter {
  if (operator === 'is') {
    const own = values.map((value) => (isSame(value, absent, ignoresCase) ? '' : value));
    return { ...isOneOf(dimension, own), ...(ignoresCase && { ignoresCase }) };
  }
  if (operator !== 'stars') return { op: 'match', dimension, operator, values };
  const patterns = values.map((value) => value.replaceAll(/\*+/g, '**'));
  return { op: 'match', dimension, operator: 'like', values: patterns, ignoresCase: true };
}

function isSame(a: string, b: string, ignoresCase: boolean): boolean {
  return ignoresCase ? a.toLowerCase() === b.toLowerCase() : a === b;
}

function toTest({ operator, values, ignoresCase }: Condition): (text: string) => boolean {
  if (operator === 'is' && !ignoresCase) return (text) => values.includes(text);
  if (operator === 'matches') {
    const tests = values.map(toPatternTest);
    return (text) => tests.some((test) => test(text));
  }
  const lower = values.map((value) => value.toLowerCase());
  return (text) => lower.some((value) => TESTS[operator](text.toLowerCase(), value));
}

const TESTS: Record<Exclude<Condition['operator'], 'matches'>, (own: string, value: string) => boolean> = {
  is: (own, value) => own === value,
  contains: (own, value) => own.includes(value),
  starts_with: (own, value) => own.startsWith(value),
  ends_with: (own, value) => own.endsWith(value),
  stars: (own, value) => isLike(own, value.split('*')),
};

/** Matches each text of the pattern as early as possible, so the time is that of reading both once. */
function isLike(own: string, [first = '', ...rest]: string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return own === first;
  if (!own.startsWith(first)) return false;
  let from = first.length;
  for (const text of rest) {
    const at = own.indexOf(text, from);
    if (at < 0) return false;
    from = at + text.length;
  }
  return own.length - last.length >= from && own.endsWith(last);
}

export function isOneOf(dimension: Dimension, values: readonly string[]): Extract<Filter, { op: 'match' }> {
  return { op: 'match', dimension, operator: 'is', values };
}

function not<Own extends Filter>(filter: Own): { op: 'not'; filter: Own } {
  return { op: 'not', filter };
}

function anyOf(filters: Filter[]): Filter {
  const [only, ...more] = filters;
  return only && more.length === 0 ? only : { op: 'or', filters };
}

function allOf(filters: Filter[]): Filter {
  return { op: 'and', filters };
}
