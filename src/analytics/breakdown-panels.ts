import { VISIT_AXES, type VisitAxis } from './filter.ts';
import { createEventBreakdown, type EventBreakdown } from './panels/event-breakdown.ts';
import type { CountColumns } from './panels/figures.ts';
import { createVisitBreakdown, type Fold, type VisitBreakdown } from './panels/visit-breakdown.ts';
import type { Texts } from './rank.ts';
import { EVENT_TYPE_TEXTS, HAS_PREFIX, PROPERTY_PREFIX, type ScanColumns } from './scan-columns.ts';
import type { Terms } from './terms.ts';
import { CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

export type BreakdownPanels = {
  all: (VisitBreakdown | EventBreakdown)[];
  finish(dimension: string): { counts: CountColumns; texts: Texts };
};

/** Dimensions of one axis share a panel, and a dimension that is asked for twice is counted once. */
export function createBreakdowns(
  wanted: readonly string[],
  terms: WebsiteTerms,
  columns: ScanColumns,
  visitorCount: number,
): BreakdownPanels {
  const visitPanels = new Map<VisitAxis, { panel: VisitBreakdown; dimensions: string[] }>();
  for (const axis of VISIT_AXES) {
    const dimensions = [...new Set(wanted)].filter((name) => findAxis(name) === axis);
    if (dimensions.length === 0) continue;
    const size = axisSize(axis, terms) + 1;
    const folds = dimensions.map((name) => toFold(axis, name, terms));
    visitPanels.set(axis, { panel: createVisitBreakdown(axis, size, visitorCount, folds), dimensions });
  }
  const eventPanels = new Map<string, EventBreakdown>();
  for (const dimension of wanted) {
    if (findAxis(dimension) || eventPanels.has(dimension)) continue;
    const size = () => eventValueCount(dimension, terms, columns) + 1;
    eventPanels.set(dimension, createEventBreakdown(dimension, columns, size, visitorCount));
  }
  const finished = new Map<string, CountColumns>();

  return {
    all: [...[...visitPanels.values()].map(({ panel }) => panel), ...eventPanels.values()],
    finish(dimension) {
      const axis = findAxis(dimension);
      const visit = axis && visitPanels.get(axis);
      const counts =
        finished.get(dimension) ??
        (visit
          ? visit.panel.finish(visit.dimensions.indexOf(dimension))
          : eventPanels.get(dimension)?.finish());
      if (!counts) throw new Error(`No panel counts ${dimension}.`);
      finished.set(dimension, counts);
      return { counts, texts: textsOf(dimension, terms, columns) };
    },
  };
}

/** The column of visits that a dimension belongs to; undefined for dimensions of events. */
export function findAxis(dimension: string): VisitAxis | undefined {
  if (dimension === 'entryPage' || dimension === 'exitPage') return dimension;
  if ((CLIENT_DIMENSIONS as readonly string[]).includes(dimension)) return 'client';
  return (ORIGIN_DIMENSIONS as readonly string[]).includes(dimension) ? 'origin' : undefined;
}

function axisSize(axis: VisitAxis, terms: WebsiteTerms): number {
  if (axis === 'client') return terms.clients.count();
  return axis === 'origin' ? terms.origins.count() : terms.page.count();
}

function toFold(axis: VisitAxis, dimension: string, terms: WebsiteTerms): Fold {
  const tuple = tupleColumn(axis, dimension, terms);
  return tuple
    ? { numbers: tuple.numbers, valueCount: tuple.values.length }
    : { numbers: undefined, valueCount: terms.page.count() + 1 };
}

function tupleColumn(axis: VisitAxis | undefined, dimension: string, terms: WebsiteTerms) {
  if (axis === 'client')
    return terms.clients.column((CLIENT_DIMENSIONS as readonly string[]).indexOf(dimension));
  if (axis === 'origin')
    return terms.origins.column((ORIGIN_DIMENSIONS as readonly string[]).indexOf(dimension));
  return undefined;
}

function eventValueCount(dimension: string, terms: WebsiteTerms, columns: ScanColumns): number {
  if (dimension === 'eventType') return EVENT_TYPE_TEXTS.length - 1;
  if (dimension.startsWith(HAS_PREFIX)) return 1;
  if (dimension.startsWith(PROPERTY_PREFIX)) return columns.values(dimension).texts.length - 1;
  return dictionaryOf(dimension, terms).count();
}

function dictionaryOf(dimension: string, terms: WebsiteTerms): Terms {
  if (dimension === 'hostname') return terms.hostname;
  return dimension === 'event' ? terms.event : terms.page;
}

function textsOf(dimension: string, terms: WebsiteTerms, columns: ScanColumns): Texts {
  const tuple = tupleColumn(findAxis(dimension), dimension, terms);
  if (tuple) return fromList(tuple.values);
  if (dimension === 'eventType') return fromList(EVENT_TYPE_TEXTS);
  if (dimension.startsWith(PROPERTY_PREFIX)) return fromList(columns.values(dimension).texts);
  return fromDictionary(dictionaryOf(dimension, terms));
}

function fromList(texts: readonly string[]): Texts {
  return { text: (number) => texts[number] ?? '' };
}

function fromDictionary(terms: Terms): Texts {
  let all: string[] | undefined;
  return {
    text: (number) => all?.[number] ?? terms.text(number),
    warm() {
      if (all) return;
      const texts: string[] = [''];
      terms.each((number, text) => {
        texts[number] = text;
      });
      all = texts;
    },
  };
}
