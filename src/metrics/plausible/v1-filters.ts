import type { Filter } from '../../analytics/interface/selection.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { quote } from '../question/dimensions.ts';
import type { Condition } from './condition.ts';
import { toFilter } from './conditions.ts';
import { findValueDimension, VALID_VALUE_DIMENSIONS } from './dimensions.ts';
import { faultsOfGoal, sayUnknown } from './filters.ts';

/** The property may contain a single `=`, as an event's keys may. */
const CONDITION = /^\s*(.+?)\s*([=!])=\s*(.*?)\s*$/s;
const FORM = 'must be such as visit:country==DE|FR or event:page!=/blog*';

/**
 * Reads `visit:country==DE|FR;event:page!=/blog*`: all conditions must match, `|` means or, `*` any text; `\` escapes `|`
 * and `;`.
 */
export function readV1Filters(
  text: string,
  goals: readonly CountedGoal[],
): { filter: Filter } | { faults: string[] } {
  const faults: string[] = [];
  const fault = (at: string, sentence: string): undefined => void faults.push(`${at}: ${sentence}`);
  const filters = splitAt(';', text).flatMap((part) => readCondition(part, goals, fault) ?? []);
  return faults.length > 0 ? { faults } : { filter: { op: 'and', filters } };
}

function readCondition(
  text: string,
  goals: readonly CountedGoal[],
  fault: (at: string, sentence: string) => undefined,
) {
  const [, property = '', sign, given = ''] = CONDITION.exec(text) ?? [];
  if (given === '') return fault(quote(text), FORM);
  const dimension = findValueDimension(property, goals);
  if (!dimension) return fault(quote(property), sayUnknown(property, VALID_VALUE_DIMENSIONS));
  const values = splitAt('|', given).map((value) => value.trim().replace(/\\([|;])/g, '$1'));
  const isNegated = sign === '!';
  if (dimension.isGoal)
    for (const { sentence } of faultsOfGoal({ operator: 'is', isNegated }, values, goals))
      fault(quote(property), sentence);
  const exact = values.filter((value) => !value.includes('*'));
  const conditions: Condition[] = [
    { operator: 'is', values: exact },
    ...values.filter((value) => value.includes('*')).map(toPattern),
  ];
  const filter: Filter = {
    op: 'or',
    filters: conditions.map((condition) => toFilter(dimension, condition)),
  };
  return isNegated ? ({ op: 'not', filter } as const) : filter;
}

/** Uses the engine's operators for stars at the ends. */
function toPattern(value: string): Condition {
  const [first = '', ...rest] = value.split(/\*+/);
  const last = rest.pop() ?? '';
  if (rest.length === 0 && last === '') return { operator: 'starts_with', values: [first] };
  if (rest.length === 0 && first === '') return { operator: 'ends_with', values: [last] };
  if (rest.length === 1 && first === '' && last === '') return { operator: 'contains', values: rest };
  return { operator: 'stars', values: [value] };
}

function splitAt(sign: ';' | '|', text: string): string[] {
  return text.split(sign === ';' ? /(?<!\\);/ : /(?<!\\)\|/);
}
