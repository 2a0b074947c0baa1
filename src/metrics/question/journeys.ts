import type { Filter, JourneysRequest } from '../../analytics/analytics.ts';
import { FILTERS_LENGTH_MAX, JOURNEY_DIRECTIONS } from '../../vocabulary/contract.ts';
import { readFilters } from './filters.ts';
import type { Question } from './open-question.ts';
import type { Asked } from './selection.ts';

export type AskedJourneys = { asked: Asked; request: JourneysRequest };

/** Faults are left with the parameters. */
export function readJourneys(question: Question): AskedJourneys {
  const { parameters, asked } = question;
  const anchor = readAnchor(question);
  const direction = parameters.choice('direction', JOURNEY_DIRECTIONS) ?? 'from';
  return { asked, request: { ...asked.selection, direction, ...(anchor && { anchor }) } };
}

function readAnchor({ parameters, subject, asked }: Question): Filter | undefined {
  const text = parameters.text('anchor', FILTERS_LENGTH_MAX);
  if (text === undefined) return undefined;
  const read = readFilters(text, subject, asked.range.zone);
  if ('faults' in read) {
    parameters.fault('anchor', ...read.faults);
    return undefined;
  }
  const isNone = read.filter.op === 'and' && read.filter.filters.length === 0; // an empty list
  return isNone ? undefined : read.filter;
}
