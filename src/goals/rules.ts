import type { GoalInput } from '../contract/goal.ts';
import { GOAL_CLICKS, type GoalType } from '../vocabulary/contract.ts';
import { validationError } from '../vocabulary/errors.ts';
import { findMinorDigits, toMinor } from '../vocabulary/money.ts';
import type { GoalRow } from './wire.ts';

/** Patterns that are like every page: of stars alone, but for a slash. */
const EVERY_PAGE = /^(\/?\*{2,}|\*{2,}\/\*+|\*\/\*{2,})$/;

/** Returns the fault of a goal's match; undefined when it can be counted. */
function faultOfMatch(type: GoalType, match: string): string | undefined {
  if (type === 'click')
    return (GOAL_CLICKS as readonly string[]).includes(match)
      ? undefined
      : `Must be one of: ${GOAL_CLICKS.join(', ')}`;
  if (type === 'event') return undefined;
  if (EVERY_PAGE.test(match)) return 'Matches every page: name a part of the path';
  if (/[?#]/.test(match)) return 'Is about the path alone: leave out ? and # and what follows';
  if (!/^[/*]/.test(match)) return 'Must begin with / or **, as a path does';
  const isOne = /^\*(?![*/])/.test(match);
  return isOne
    ? 'Begins with one *, which stands for no slash, as each path begins with: write **'
    : undefined;
}

/** @throws AppError VALIDATION_ERROR */
export function requireMatch({ type, match }: Pick<GoalRow, 'type' | 'match'>): void {
  const fault = faultOfMatch(type, match);
  if (fault !== undefined) throw validationError('Invalid request data', { match: [fault] });
}

/** The columns of what a conversion is worth. Undefined: nothing is said. @throws AppError VALIDATION_ERROR */
export function toValueColumns(value: GoalInput['value']): Partial<Pick<GoalRow, 'valueMinor' | 'currency'>> {
  if (value === undefined) return {};
  if (value === null) return { valueMinor: null, currency: null };
  const { amount, currency } = value;
  const digits = findMinorDigits(currency);
  if (currency === '') throw refuse('Name the currency by its code of ISO 4217, such as EUR');
  if (digits === undefined) throw refuse(`${quote(currency)} is not a currency of ISO 4217, such as EUR`);
  const valueMinor = toMinor(amount, currency);
  if (valueMinor === undefined || valueMinor < 0)
    throw refuse(
      digits === 0
        ? `The amount must be a whole number such as 1990, of at most 10 digits and without a sign: ${currency} has no smaller unit`
        : `The amount must be a number such as ${`19.${'9'.repeat(digits)}`}: a point and no comma, no sign, at most 10 digits before the point and ${digits} after it`,
    );
  return { valueMinor, currency };
}

function refuse(fault: string) {
  return validationError('Invalid request data', { value: [fault] });
}

function quote(text: string): string {
  return `"${text.length > 10 ? `${text.slice(0, 10)}…` : text}"`;
}
