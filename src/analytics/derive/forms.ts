import type { Dimension } from '../../vocabulary/analytics.ts';
import { toHostForm, toPageForm } from './address.ts';
import { TEXT_MAX, toText } from './text.ts';

/** Returns the forms in which a text may be stored: pages, hosts and mediums as written and as counted, both truncated. */
export function formsOf(dimension: Dimension, text: string): string[] {
  return [...new Set(patternFormsOf(dimension, text).map(cut))];
}

/** Returns the forms of a pattern, which may be longer than the texts that it matches. */
export function patternFormsOf(dimension: Dimension, pattern: string): string[] {
  const form = countedForm(dimension, pattern);
  return form === pattern ? [pattern] : [pattern, form];
}

function cut(text: string): string {
  return text.length > TEXT_MAX ? toText(text) : text;
}

function countedForm(dimension: Dimension, text: string): string {
  if (dimension === 'page' || dimension === 'entryPage' || dimension === 'exitPage') return toPageForm(text);
  if (dimension === 'hostname' || dimension === 'referrer' || dimension === 'source') return toHostForm(text);
  if (dimension === 'utmMedium') return text.toLowerCase();
  return text;
}
