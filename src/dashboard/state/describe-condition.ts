import type { Goal } from '../../contract/goal.ts';
import { FILTER_OPERATORS } from '../../vocabulary/analytics.ts';
import { describeFilter } from './describe-filter.ts';
import { FIRST_SEEN, SCOPES, withScope } from './view-state.ts';

/** Describes a condition of the API, which may be more complex than those the dashboard writes. */
export function describeCondition(condition: unknown, goals: readonly Goal[]): string {
  const [outer, inner] = toList(condition);
  if (Array.isArray(outer)) return describeAll(toList(condition), ' and ', goals);
  if (outer === 'and' || outer === 'or') return describeAll(toList(inner), ` ${outer} `, goals);
  if (outer === 'not') return `not (${describeCondition(inner, goals)})`;
  const scope = SCOPES.find((candidate) => candidate === outer);
  const [name, dimension, values] = toList(scope ? inner : condition);
  if (name === 'first_seen') {
    const { from = '', to = '' } = dimension as { from?: string; to?: string }; // validated by the service
    return describeFilter({ operator: 'is', dimension: FIRST_SEEN, values: [from, to] });
  }
  const operator = FILTER_OPERATORS.find((candidate) => candidate === name);
  if (!operator || typeof dimension !== 'string' || !Array.isArray(values)) return JSON.stringify(condition);
  return describeFilter(
    { operator, dimension: withScope(scope, dimension), values: values.map(String) },
    goals,
  );
}

function describeAll(conditions: readonly unknown[], word: string, goals: readonly Goal[]): string {
  return conditions
    .map((condition) => {
      const isNested = /^(and|or)$/.test(String(toList(condition)[0]));
      const text = describeCondition(condition, goals);
      return isNested ? `(${text})` : text;
    })
    .join(word);
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
