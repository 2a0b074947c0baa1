import type { Filter } from './analytics.ts';
import { VISIT_AXES, type VisitAxis } from './day.ts';
import { EVENT_TYPE_TEXTS, PROPERTY_PREFIX, type ScanColumns } from './scan-columns.ts';
import type { Terms } from './terms.ts';
import { isExact, toTextTest } from './text-test.ts';
import type { Tuples } from './tuples.ts';
import { CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** The numbers of one event and its visit: of a visit's columns, and by name of an event's. */
export type Cursor = Record<VisitAxis, number> & { event: number[] };

/** What a filter becomes: tests of numbers only. All parts must hold. */
export type CompiledFilter = {
  /** By the column's number: 1 passes. */
  visitTables: { axis: VisitAxis; pass: Uint8Array }[];
  eventTables: { name: string; pass: Uint8Array }[];
  /** What looks at several columns at once; asked for each visit, respectively each event. */
  visitTests: ((cursor: Cursor) => boolean)[];
  eventTests: ((cursor: Cursor) => boolean)[];
  /** Columns of events whose numbers `cursor.event` must hold, in this order. */
  eventColumns: string[];
};

type Node = { test: (cursor: Cursor) => boolean; axes: Set<string> };

/** Works a filter out on the dictionaries, once for a question. */
export function compileFilter(
  filter: Filter | undefined,
  terms: WebsiteTerms,
  columns: ScanColumns,
): CompiledFilter {
  const eventColumns: string[] = [];
  const compiled: CompiledFilter = {
    visitTables: [],
    eventTables: [],
    visitTests: [],
    eventTests: [],
    eventColumns,
  };
  for (const part of conjuncts(filter)) place(compile(part));
  return compiled;

  /** A part that looks at one column becomes a table over its numbers. */
  function place({ test, axes }: Node): void {
    const [axis, ...others] = axes;
    const isVisit = [...axes].every((name) => isVisitAxis(name));
    if (axis === undefined || others.length > 0 || axis.startsWith(PROPERTY_PREFIX)) {
      if (isVisit) compiled.visitTests.push(test);
      else compiled.eventTests.push(test);
    } else if (isVisitAxis(axis)) compiled.visitTables.push({ axis, pass: tabulate(test, axis) });
    else compiled.eventTables.push({ name: axis, pass: tabulate(test, axis) });
  }

  function tabulate(test: Node['test'], axis: string): Uint8Array {
    const cursor: Cursor = { client: 0, origin: 0, entryPage: 0, exitPage: 0, event: [] };
    const slot = eventColumns.indexOf(axis);
    const pass = new Uint8Array(countOf(axis) + 1);
    for (let number = 0; number < pass.length; number += 1) {
      if (isVisitAxis(axis)) cursor[axis] = number;
      else cursor.event[slot] = number;
      pass[number] = test(cursor) ? 1 : 0;
    }
    return pass;
  }

  function countOf(axis: string): number {
    if (axis === 'client') return terms.clients.count();
    if (axis === 'origin') return terms.origins.count();
    if (axis === 'eventType') return EVENT_TYPE_TEXTS.length - 1;
    if (axis === 'hostname') return terms.hostname.count();
    return axis === 'event' ? terms.event.count() : terms.page.count();
  }

  function compile(node: Filter): Node {
    if (node.op === 'match') return compileLeaf(node);
    if (node.op === 'not') {
      const { test, axes } = compile(node.filter);
      return { test: (cursor) => !test(cursor), axes };
    }
    const parts = node.filters.map(compile);
    const axes = new Set(parts.flatMap((part) => [...part.axes]));
    const tests = parts.map(({ test }) => test);
    return node.op === 'and'
      ? { test: (cursor) => tests.every((test) => test(cursor)), axes }
      : { test: (cursor) => tests.some((test) => test(cursor)), axes };
  }

  function compileLeaf({ dimension, operator, values }: Filter & { op: 'match' }): Node {
    const test = toTextTest(operator, values);
    const clientIndex = indexIn(CLIENT_DIMENSIONS, dimension);
    if (clientIndex >= 0) return tupleNode('client', terms.clients, clientIndex, test);
    const originIndex = indexIn(ORIGIN_DIMENSIONS, dimension);
    if (originIndex >= 0) return tupleNode('origin', terms.origins, originIndex, test);
    if (dimension === 'entryPage' || dimension === 'exitPage') {
      const pass = termTable(terms.page, operator, values, test);
      return { test: (cursor) => pass[cursor[dimension]] === 1, axes: new Set([dimension]) };
    }
    const pass = dimension.startsWith(PROPERTY_PREFIX)
      ? growingTable(columns, dimension, test)
      : { table: eventTable(dimension, operator, values, test) };
    const slot = slotOf(dimension);
    return {
      test: (cursor) => pass.table[cursor.event[slot] ?? 0] === 1,
      axes: new Set([dimension]),
    };
  }

  function eventTable(
    dimension: string,
    operator: Parameters<typeof toTextTest>[0],
    values: readonly string[],
    test: (text: string) => boolean,
  ): Uint8Array {
    if (dimension === 'eventType') return Uint8Array.from(EVENT_TYPE_TEXTS, (text) => (test(text) ? 1 : 0));
    const dictionary =
      dimension === 'hostname' ? terms.hostname : dimension === 'event' ? terms.event : terms.page;
    return termTable(dictionary, operator, values, test);
  }

  function slotOf(name: string): number {
    if (!eventColumns.includes(name)) eventColumns.push(name);
    return eventColumns.indexOf(name);
  }
}

function tupleNode(
  axis: 'client' | 'origin',
  tuples: Tuples,
  index: number,
  test: (text: string) => boolean,
): Node {
  const { numbers, values } = tuples.column(index);
  const valuePass = values.map(test);
  return { test: (cursor) => valuePass[numbers[cursor[axis]] ?? 0] === true, axes: new Set([axis]) };
}

/** By the number of a text in a dictionary. Exact values are looked up; the others are tested one by one. */
function termTable(
  terms: Terms,
  operator: Parameters<typeof toTextTest>[0],
  values: readonly string[],
  test: (text: string) => boolean,
): Uint8Array {
  const pass = new Uint8Array(terms.count() + 1);
  if (isExact(operator)) {
    const isWanted = operator === 'is' ? 1 : 0;
    pass.fill(1 - isWanted);
    for (const value of values) {
      const number = terms.find(value);
      if (number !== 0 || value === '') pass[number] = isWanted;
    }
    return pass;
  }
  pass[0] = test('') ? 1 : 0;
  terms.each((number, text) => {
    pass[number] = test(text) ? 1 : 0;
  });
  return pass;
}

/** Values of properties come up during the scan, so their table grows with them. */
function growingTable(
  columns: ScanColumns,
  name: string,
  test: (text: string) => boolean,
): { table: number[] } {
  const table: number[] = [];
  columns.values(name).each((text) => table.push(test(text) ? 1 : 0));
  return { table };
}

function conjuncts(filter: Filter | undefined): Filter[] {
  if (!filter) return [];
  return filter.op === 'and' ? filter.filters.flatMap(conjuncts) : [filter];
}

function isVisitAxis(name: string): name is VisitAxis {
  return (VISIT_AXES as readonly string[]).includes(name);
}

/** −1 when it is not one of the list. */
function indexIn(list: readonly string[], name: string): number {
  return list.indexOf(name);
}
