import type { Dimension } from '../../vocabulary/analytics.ts';
import { toHostForm, toPageForm } from './address.ts';

/** Pages and hosts are found as they are written, and in the form that people read. */
export function formsOf(dimension: Dimension, text: string): string[] {
  const form = readableForm(dimension, text);
  return form === text ? [text] : [text, form];
}

function readableForm(dimension: Dimension, text: string): string {
  if (dimension === 'page' || dimension === 'entryPage' || dimension === 'exitPage') return toPageForm(text);
  if (dimension === 'hostname' || dimension === 'referrer' || dimension === 'source') return toHostForm(text);
  return text;
}
