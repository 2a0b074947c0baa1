import type { Dimension } from '../../vocabulary/analytics.ts';
import { toHostForm, toPageForm } from './address.ts';

/** Pages, hosts and mediums are found as they are written, and in the form that they are counted in. */
export function formsOf(dimension: Dimension, text: string): string[] {
  const form = countedForm(dimension, text);
  return form === text ? [text] : [text, form];
}

function countedForm(dimension: Dimension, text: string): string {
  if (dimension === 'page' || dimension === 'entryPage' || dimension === 'exitPage') return toPageForm(text);
  if (dimension === 'hostname' || dimension === 'referrer' || dimension === 'source') return toHostForm(text);
  if (dimension === 'utmMedium') return text.toLowerCase();
  return text;
}
