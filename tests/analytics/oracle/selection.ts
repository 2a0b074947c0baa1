import type { Filter, Selection } from '../../../src/analytics/interface/selection.ts';
import {
  CLIENT_DIMENSIONS,
  type Dimension,
  type FilterOperator,
  isLikePattern,
  ORIGIN_DIMENSIONS,
} from '../../../src/vocabulary/analytics.ts';
import type { EventFacts } from './facts.ts';
import { formsOf } from './forms.ts';
import type { NaiveLog } from './log.ts';
import { inOrder } from './raw-event.ts';
import { type NaiveVisit, toVisits } from './visits.ts';

/** A matching event and the visit that it belongs to. */
export type Match = EventFacts & { visit: NaiveVisit };

/** The matching events of a selection, in their order. */
export function select(log: NaiveLog, selection: Selection): Match[] {
  const { websiteKey, fromMs, toMs, traffic = 'people', filter } = selection;
  return toVisits(log.factsOf(websiteKey), traffic, log.visitEventsMax)
    .flatMap((visit) => visit.events.map((event): Match => ({ ...event, visit })))
    .filter(({ event }) => event.createdAtMs >= fromMs && event.createdAtMs < toMs)
    .filter((match) => filter === undefined || passes(match, filter))
    .sort((a, b) => inOrder(a.event, b.event));
}

/** With another condition, which the event itself must meet as well. */
export function narrow(selection: Selection, filter: Filter): Selection {
  const { filter: own } = selection;
  return { ...selection, filter: own ? { op: 'and', filters: [own, filter] } : filter };
}

/** The value of a dimension; '' when absent. */
export function dimensionOf(match: Match, dimension: Dimension): string {
  const { visit } = match;
  for (const origin of ORIGIN_DIMENSIONS) if (dimension === origin) return visit.origin[origin];
  for (const client of CLIENT_DIMENSIONS) if (dimension === client) return visit.client[client];
  switch (dimension) {
    case 'page':
      return match.page;
    case 'hostname':
      return match.hostname;
    case 'eventType':
      return match.event.eventType;
    case 'event':
      return match.name;
    case 'entryPage':
      return visit.entryPage;
    case 'exitPage':
      return visit.exitPage;
    case 'visitorType':
      return visit.first === visit ? 'new' : 'returning';
    default:
      if (!dimension.startsWith('property:')) throw new Error(`Unknown dimension ${dimension}.`);
      return match.properties.get(dimension.slice('property:'.length))?.text ?? '';
  }
}

export function passes(match: Match, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((part) => passes(match, part));
    case 'or':
      return filter.filters.some((part) => passes(match, part));
    case 'not':
      return !passes(match, filter.filter);
    case 'has_done':
      return hasDone(match.visit, filter.filter);
    case 'first_visit':
      return hasDone(match.visit.first, filter.filter);
    case 'website':
      return filter.websiteKeys.includes(match.event.websiteKey);
    case 'first_seen':
      return match.visit.first.startMs >= filter.fromMs && match.visit.first.startMs < filter.toMs;
    case 'match': {
      const { dimension, operator, values, ignoresCase } = filter;
      const isPattern = isLikePattern(operator);
      const forms = values.flatMap((value) => formsOf(value, dimension, isPattern));
      const toCase = (text: string) => (ignoresCase ? text.toLowerCase() : text);
      return compare(toCase(dimensionOf(match, dimension)), operator, forms.map(toCase));
    }
  }
}

function hasDone(visit: NaiveVisit, filter: Filter): boolean {
  return visit.events.some((event) => passes({ ...event, visit }, filter));
}

function compare(value: string, operator: FilterOperator, values: readonly string[]): boolean {
  const lower = value.toLowerCase();
  const lowerValues = values.map((text) => text.toLowerCase());
  switch (operator) {
    case 'is':
      return values.includes(value);
    case 'is_not':
      return !values.includes(value);
    case 'contains':
      return lowerValues.some((text) => lower.includes(text));
    case 'contains_not':
      return !lowerValues.some((text) => lower.includes(text));
    case 'starts_with':
      return lowerValues.some((text) => lower.startsWith(text));
    case 'ends_with':
      return lowerValues.some((text) => lower.endsWith(text));
    case 'like':
      return values.some((pattern) => isLike(value, pattern));
    case 'like_not':
      return !values.some((pattern) => isLike(value, pattern));
    case 'matches':
      return values.some((pattern) => toRegExp(pattern).test(value));
    case 'matches_not':
      return !values.some((pattern) => toRegExp(pattern).test(value));
  }
}

/** Only for patterns that mean the same to JavaScript. */
function toRegExp(pattern: string): RegExp {
  const isFolded = pattern.startsWith('(?i)');
  return new RegExp(isFolded ? pattern.slice('(?i)'.length) : pattern, isFolded ? 'i' : '');
}

/** `*` stands for any text without a slash, `**` for any text: each star tries every length. */
function isLike(text: string, pattern: string): boolean {
  const stars = /^\*+/.exec(pattern)?.[0];
  if (stars === undefined) {
    if (pattern === '') return text === '';
    return text !== '' && text[0] === pattern[0] && isLike(text.slice(1), pattern.slice(1));
  }
  const rest = pattern.slice(stars.length);
  for (let length = 0; length <= text.length; length += 1) {
    if (isLike(text.slice(length), rest)) return true;
    if (stars.length === 1 && text[length] === '/') return false;
  }
  return false;
}
