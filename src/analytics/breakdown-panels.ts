import { discard } from '../garbage.ts';
import { axisOf, type Day, VISIT_AXES, type VisitAxis } from './day.ts';
import type { ValueColumn } from './panels/distinct.ts';
import { createEventCounts } from './panels/event-counts.ts';
import { type CountColumns, createCounts } from './panels/figures.ts';
import { type CountPanel, createVisitCounts } from './panels/visit-counts.ts';
import type { Texts } from './rank.ts';
import { EVENT_TYPE_TEXTS, PROPERTY_PREFIX, type ScanColumns } from './scan-columns.ts';
import type { Terms } from './terms.ts';
import { CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** The panels that count all values of dimensions, but for their distinct visitors (see breakdowns.ts). */
export type BreakdownPanels = {
  all: CountPanel[];
  counts(dimension: string): CountColumns;
};

/** Dimensions of one axis share a panel, and a dimension that is asked for twice is counted once. */
export function createBreakdownPanels(
  wanted: readonly string[],
  terms: WebsiteTerms,
  columns: ScanColumns,
): BreakdownPanels {
  const panels = new Map<string, CountPanel>();
  for (const axis of VISIT_AXES)
    if (wanted.some((name) => findAxis(name) === axis))
      panels.set(axis, createVisitCounts(axis, axisSize(axis, terms) + 1));
  for (const name of wanted)
    if (!findAxis(name) && !panels.has(name))
      panels.set(
        name,
        createEventCounts(name, columns, () => valueCount(name, terms, columns)),
      );

  return {
    all: [...panels.values()],
    counts(dimension) {
      const axis = findAxis(dimension);
      const panel = panels.get(axis ?? dimension);
      if (!panel) throw new Error(`No panel counts ${dimension}.`);
      const tuple = tupleColumn(axis, dimension, terms);
      const counts = panel.tally.columns();
      return tuple ? fold(counts, tuple.numbers, tuple.values.length) : counts;
    },
  };
}

/** From combinations to the values of one of their dimensions. */
function fold(counts: CountColumns, numbers: Uint32Array, valueCount: number): CountColumns {
  const folded = createCounts(valueCount);
  const size = counts.visits.length;
  for (let number = 0; number < size; number += 1) {
    const visits = counts.visits[number] as number; // below size, and values are below valueCount
    if (visits === 0) continue;
    const value = numbers[number] as number;
    (folded.visits[value] as number) += visits;
    (folded.pageviews[value] as number) += counts.pageviews[number] as number;
    (folded.events[value] as number) += counts.events[number] as number;
    (folded.bounces[value] as number) += counts.bounces[number] as number;
    (folded.durationMs[value] as number) += counts.durationMs[number] as number;
  }
  return folded;
}

/** The column of visits that a dimension belongs to; undefined for dimensions of events. */
export function findAxis(dimension: string): VisitAxis | undefined {
  if (dimension === 'entryPage' || dimension === 'exitPage') return dimension;
  if ((CLIENT_DIMENSIONS as readonly string[]).includes(dimension)) return 'client';
  return (ORIGIN_DIMENSIONS as readonly string[]).includes(dimension) ? 'origin' : undefined;
}

/** Where the scan finds a dimension's values. */
export function valueColumn(dimension: string, terms: WebsiteTerms, columns: ScanColumns): ValueColumn {
  const axis = findAxis(dimension);
  if (!axis) return { of: 'events', column: (day: Day) => columns.get(day, dimension) };
  return {
    of: 'visits',
    column: (day: Day) => axisOf(day, axis),
    numbers: tupleColumn(axis, dimension, terms)?.numbers,
  };
}

/** Numbers of a dimension's values are below this. */
export function valueCount(dimension: string, terms: WebsiteTerms, columns: ScanColumns): number {
  const axis = findAxis(dimension);
  const tuple = tupleColumn(axis, dimension, terms);
  if (tuple) return tuple.values.length;
  if (axis) return terms.page.count() + 1;
  if (dimension === 'eventType') return EVENT_TYPE_TEXTS.length;
  if (dimension.startsWith(PROPERTY_PREFIX)) return columns.values(dimension).texts.length;
  return dictionaryOf(dimension, terms).count() + 1;
}

/** Numbers of the column that `valueColumn` reads are below this: an axis's own, or those of a dimension of events. */
export function columnSize(name: string, terms: WebsiteTerms, columns: ScanColumns): number {
  const axis = VISIT_AXES.find((candidate) => candidate === name);
  return axis ? axisSize(axis, terms) + 1 : valueCount(name, terms, columns);
}

export function textsOf(dimension: string, terms: WebsiteTerms, columns: ScanColumns): Texts {
  const tuple = tupleColumn(findAxis(dimension), dimension, terms);
  if (tuple) return fromList(tuple.values);
  if (dimension === 'eventType') return fromList(EVENT_TYPE_TEXTS);
  if (dimension.startsWith(PROPERTY_PREFIX)) return fromList(columns.values(dimension).texts);
  return fromDictionary(dictionaryOf(dimension, terms));
}

export function tupleColumn(axis: VisitAxis | undefined, dimension: string, terms: WebsiteTerms) {
  if (axis === 'client')
    return terms.clients.column((CLIENT_DIMENSIONS as readonly string[]).indexOf(dimension));
  if (axis === 'origin')
    return terms.origins.column((ORIGIN_DIMENSIONS as readonly string[]).indexOf(dimension));
  return undefined;
}

/** Numbers of an axis go up to this. */
export function axisSize(axis: VisitAxis, terms: WebsiteTerms): number {
  if (axis === 'client') return terms.clients.count();
  return axis === 'origin' ? terms.origins.count() : terms.page.count();
}

function dictionaryOf(dimension: string, terms: WebsiteTerms): Terms {
  if (dimension === 'hostname') return terms.hostname;
  return dimension === 'event' ? terms.event : terms.page;
}

function fromList(texts: readonly string[]): Texts {
  return { text: (number) => texts[number] ?? '' };
}

/** What a text takes, about, with the row that it was read from. */
const TEXT_BYTES = 100;

function fromDictionary(terms: Terms): Texts {
  let all: string[] | undefined;
  return {
    text: (number) => all?.[number] ?? terms.text(number),
    warm() {
      if (all) return;
      discard(terms.count() * TEXT_BYTES); // once the question is answered
      const texts: string[] = [''];
      terms.each((number, text) => {
        texts[number] = text;
      });
      all = texts;
    },
  };
}
