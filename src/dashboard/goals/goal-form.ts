import type { Goal } from '../../contract/goal.ts';
import { OPERATOR_NAMES } from '../state/describe-filter.ts';

type Property = Goal['properties'][number];

/** The first property condition as form values. The form edits no other. */
export function formOfProperty(goal: Goal | undefined): { key: string; label: string; texts: string } {
  const property = goal?.properties[0];
  const isList = !property || property.operator === 'is' || isAnyValue(property);
  return {
    key: property?.key ?? '',
    label: isList ? 'Is one of' : sentenceCase(OPERATOR_NAMES[property.operator]),
    texts: property?.values.join(', ') ?? '',
  };
}

/**
 * Request body: all fields of a new goal, only the changed ones of an existing one, whose rest another user may be
 * changing.
 */
export function toGoalBody(values: Record<string, string>, goal: Goal | undefined): Partial<Goal> {
  const { name = '', type, match = '', amount = '', currency = '', isPublic } = values;
  const body = {
    name,
    type: type as Goal['type'], // one of the choices
    match,
    value: amount === '' && currency === '' ? null : { amount, currency: currency.trim().toUpperCase() },
    properties: toProperties(values, goal),
    isPublic: isPublic === 'on',
  };
  if (!goal) return body;
  const changes = Object.entries(body).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(goal[field as keyof typeof body]),
  );
  // Type and match are only meaningful together.
  const isReached = changes.some(([field]) => field === 'type' || field === 'match');
  return { ...Object.fromEntries(changes), ...(isReached && { type: body.type, match }) };
}

/** Properties to send. What the form cannot express, such as commas in a value, stays unless the user edits it. */
function toProperties(values: Record<string, string>, goal: Goal | undefined): Property[] {
  const [first, ...others] = goal?.properties ?? [];
  const key = values.key?.trim() ?? '';
  const texts = values.values ?? '';
  const isSame = texts.trim() === formOfProperty(goal).texts.trim();
  // The service rejects values without a property, and says so.
  if (key === '' && isSame) return others;
  if (first?.key === key && isSame) return [first, ...others];
  const given = texts.split(',').flatMap((text) => text.trim() || []);
  if (given.length === 0) return [{ key, operator: 'is_not', values: [''] }, ...others];
  const operator = first?.key === key && !isAnyValue(first) ? first.operator : 'is';
  return [{ key, operator, values: given }, ...others];
}

/** Whether the condition only asks that the property exists. */
export function isAnyValue({ operator, values }: Property): boolean {
  return operator === 'is_not' && values.join() === '';
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
