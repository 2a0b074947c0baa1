import { PLAUSIBLE_INCLUDES, type PlausibleInclude } from '../../contract/plausible.ts';
import { BREAKDOWN_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { OFFSET_MAX } from '../../vocabulary/contract.ts';
import { quote } from '../question/dimensions.ts';

/** Objects within a query in Plausible's form. */

export type PlausiblePage = { limit: number; offset: number };
export type Fault = (field: string, ...sentences: string[]) => void;

export function readInclude(value: unknown, fault: Fault): PlausibleInclude {
  const given = readMembers('include', value, PLAUSIBLE_INCLUDES, fault);
  const flag = (name: string): boolean => {
    const { [name]: asked = false } = given;
    if (typeof asked !== 'boolean') fault('include', `${name} must be true or false`);
    return asked === true;
  };
  return {
    imports: flag('imports'),
    time_labels: flag('time_labels'),
    total_rows: flag('total_rows'),
    trim_relative_date_range: flag('trim_relative_date_range'),
  };
}

export function readPagination(value: unknown, fault: Fault): PlausiblePage {
  const { limit = BREAKDOWN_LIMIT_MAX, offset = 0 } = readMembers(
    'pagination',
    value,
    ['limit', 'offset'],
    fault,
  );
  const isLimit = Number.isSafeInteger(limit) && Number(limit) >= 1 && Number(limit) <= BREAKDOWN_LIMIT_MAX;
  const isOffset = Number.isSafeInteger(offset) && Number(offset) >= 0 && Number(offset) <= OFFSET_MAX;
  if (!isLimit) fault('pagination', `limit must be a whole number from 1 to ${BREAKDOWN_LIMIT_MAX}`);
  if (!isOffset) fault('pagination', `offset must be a whole number from 0 to ${OFFSET_MAX}`);
  return { limit: isLimit ? Number(limit) : 1, offset: isOffset ? Number(offset) : 0 };
}

/** Reads the members of an optional object. */
function readMembers(
  field: string,
  value: unknown,
  names: readonly string[],
  fault: Fault,
): Record<string, unknown> {
  if (value === undefined) return {};
  if (!isRecord(value)) {
    fault(field, `Must be an object with ${names.join(', ')}`);
    return {};
  }
  for (const name of unknownNames(value, names))
    fault(field, `Unknown member ${quote(name)}. Valid: ${names.join(', ')}`);
  return value;
}

/**
 * Returns unknown names, few and short for an error message. Like Plausible, we refuse them: a misspelt filter would
 * otherwise be ignored.
 */
export function unknownNames(value: Record<string, unknown>, names: readonly string[]): string[] {
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  return unknown.slice(0, UNKNOWN_TOLD_MAX).map((name) => name.slice(0, NAME_TOLD_LENGTH_MAX));
}

const UNKNOWN_TOLD_MAX = 10;
const NAME_TOLD_LENGTH_MAX = 60;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
