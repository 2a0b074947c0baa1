import { type Dimension, isLikePattern } from '../../../vocabulary/analytics.ts';
import { validationError } from '../../../vocabulary/errors.ts';
import { formsOf, patternFormsOf } from '../../derive/forms.ts';
import type { Filter } from '../../interface/selection.ts';
import type { Arena } from '../memory/arena.ts';
import type { Segment } from '../segment/segment.ts';
import { type CodedColumn, openColumn } from './coded-column.ts';
import { eachFirstVisits } from './first-visits.ts';
import type { Source } from './source.ts';
import { isExact, toTextTest } from './text-test.ts';

/** A test of one column of a segment: local code → 1 when it passes. */
export type ColumnTest = { column: Uint16Array; pass: Uint8Array };
/** A test of several columns. */
export type RowTest = (visit: number, event: number) => boolean;

/** A filter bound to one segment. All parts must pass. */
export type BoundFilter = {
  visitColumns: ColumnTest[];
  visitRows: RowTest[];
  eventColumns: ColumnTest[];
  eventRows: RowTest[];
};

/** A filter compiled for a question. All parts must pass. */
export type CompiledFilter = {
  readonly isEmpty: boolean;
  readonly testsEvents: boolean;
  /** Parts that test a single column. */
  readonly leaves: readonly Leaf[];
  bind(segment: Segment): BoundFilter;
  /** Binds the other parts to a segment. */
  bindRows(segment: Segment): Pick<BoundFilter, 'visitRows' | 'eventRows'>;
};

/** A test of one column: code → 1 when it passes. */
type Leaf = { op: 'leaf'; column: CodedColumn; pass: Uint8Array };
type Node =
  | Leaf
  | { op: 'and' | 'or'; nodes: Node[] }
  | { op: 'not'; node: Node }
  | { op: 'has_done'; node: Node }
  /** Visitor code → a bit for each class whose first visit passes. */
  | { op: 'of_visitor'; pass: Uint8Array };

/** Columns shared by several filters. */
export type OpenColumns = Map<Dimension, CodedColumn>;

/** Evaluates a filter against the dictionaries, once per question: its leaves become tables by code. */
export function compileFilter(
  filter: Filter | undefined,
  source: Source,
  columns: OpenColumns = new Map(),
): CompiledFilter {
  const parts = conjuncts(filter).map(compile);
  const leaves = parts.filter((part) => part.op === 'leaf');
  const others = parts
    .filter((part) => part.op !== 'leaf')
    .map((node) => ({ node, isOfVisits: leavesOf(node).every(isOfVisits) }));

  function compile(node: Filter): Node {
    if (node.op === 'not' || node.op === 'has_done') return { op: node.op, node: compile(node.filter) };
    if (node.op === 'website') {
      const isOwn = node.websiteKeys.includes(source.website.key);
      return { op: isOwn ? 'and' : 'or', nodes: [] }; // all of none pass, or none of none
    }
    if (node.op === 'first_seen') return { op: 'of_visitor', pass: markFirstSeen(node, source) };
    if (node.op === 'first_visit')
      return { op: 'of_visitor', pass: markFirstVisits(compile(node.filter), source) };
    if (node.op !== 'match') return { op: node.op, nodes: node.filters.map(compile) };
    const column = columns.get(node.dimension) ?? openColumn(node.dimension, source);
    columns.set(node.dimension, column);
    return { op: 'leaf', column, pass: tabulate(column, node, source) };
  }

  function bindRows(segment: Segment) {
    const visitRows: RowTest[] = [];
    const eventRows: RowTest[] = [];
    for (const { node, isOfVisits: isForVisits } of others)
      (isForVisits ? visitRows : eventRows).push(bindNode(node, segment, source.arena));
    return { visitRows, eventRows };
  }

  return {
    isEmpty: parts.length === 0,
    testsEvents: !leaves.every(isOfVisits) || others.some((other) => !other.isOfVisits),
    leaves,
    bind(segment) {
      const visitColumns: ColumnTest[] = [];
      const eventColumns: ColumnTest[] = [];
      for (const leaf of leaves)
        (isOfVisits(leaf) ? visitColumns : eventColumns).push(bindLeaf(leaf, segment, source.arena));
      return { visitColumns, eventColumns, ...bindRows(segment) };
    },
    bindRows,
  };
}

function isOfVisits({ column }: Leaf): boolean {
  return column.scope === 'visit';
}

function conjuncts(filter: Filter | undefined): Filter[] {
  if (!filter) return [];
  return filter.op === 'and' ? filter.filters.flatMap(conjuncts) : [filter];
}

/** Returns the parts that test the event itself. Parts about other events of its visit belong to the visit. */
function leavesOf(node: Node): Leaf[] {
  if (node.op === 'leaf') return [node];
  if (node.op === 'and' || node.op === 'or') return node.nodes.flatMap(leavesOf);
  return node.op === 'not' ? leavesOf(node.node) : [];
}

/** Returns 1 for each code that passes. Exact values are looked up; other operators test every text. */
function tabulate(
  column: CodedColumn,
  { dimension, operator, values, ignoresCase = false }: Filter & { op: 'match' },
  { arena, textTime }: Source,
): Uint8Array {
  const pass = arena.u8(column.count + 1);
  const toForms = isLikePattern(operator) ? patternFormsOf : formsOf;
  const wanted = values.flatMap((value) => toForms(dimension, value));
  if (isExact(operator) && !ignoresCase) {
    const isWanted = operator === 'is' ? 1 : 0;
    pass.fill(1 - isWanted);
    for (const value of wanted) {
      const code = column.find(value);
      if ((code !== 0 || value === '') && code < pass.length) pass[code] = isWanted;
    }
    return pass;
  }
  const leftMs = textTime.leftMs();
  if (leftMs <= 0) throw tooSlow();
  const test = toTextTest(operator, wanted, ignoresCase);
  const sinceMs = performance.now();
  try {
    pass[0] = test('') ? 1 : 0;
    column.each((code, text) => {
      if (code % TEXTS_AT_ONCE === 0 && performance.now() - sinceMs > leftMs) throw tooSlow();
      pass[code] = test(text) ? 1 : 0;
    });
  } finally {
    textTime.spend(performance.now() - sinceMs);
  }
  return pass;
}

/** Texts tested between two looks at the clock. */
const TEXTS_AT_ONCE = 16;

function tooSlow(): Error {
  const fault =
    'The conditions take too long on so many values, or the account has used its time for patterns: ' +
    'use fewer or shorter ones, or try again in a minute';
  return validationError(fault, {}, [fault]);
}

function markFirstSeen({ fromMs, toMs }: Filter & { op: 'first_seen' }, source: Source): Uint8Array {
  return markVisitors(source, toMs, (segment) => {
    const startMs = segment.column('startMs');
    const from = fromMs - segment.dayMs;
    const to = toMs - segment.dayMs;
    return (visit) => {
      const start = startMs[visit] as number;
      return start >= from && start < to;
    };
  });
}

function markFirstVisits(node: Node, source: Source): Uint8Array {
  const isForVisits = leavesOf(node).every(isOfVisits);
  return markVisitors(source, Number.POSITIVE_INFINITY, (segment) => {
    const test = bindNode(node, segment, source.arena);
    return isForVisits ? (visit) => test(visit, 0) : bindHasDone(test, segment);
  });
}

/** Returns by visitor code a bit for each class whose first visit passes. */
function markVisitors(source: Source, toMs: number, bind: (segment: Segment) => RowTest): Uint8Array {
  const pass = source.arena.u8(source.website.dictionaries.visitors.count + 1);
  eachFirstVisits(source, toMs, (segment, visits) => {
    const test = bind(segment);
    const visitor = segment.column('visitor');
    const classes = segment.column('class');
    for (const visit of visits)
      if (test(visit, 0)) (pass[visitor[visit] as number] as number) |= 1 << (classes[visit] as number);
  });
  return pass;
}

function bindLeaf({ column, pass }: Leaf, segment: Segment, arena: Arena): ColumnTest {
  const codes = column.codes(segment);
  const local = arena.u8(codes.length);
  for (let index = 0; index < codes.length; index += 1) local[index] = pass[codes[index] as number] as number;
  return { column: column.local(segment), pass: local };
}

function bindNode(node: Node, segment: Segment, arena: Arena): RowTest {
  if (node.op === 'leaf') {
    const { column, pass } = bindLeaf(node, segment, arena);
    return isOfVisits(node)
      ? (visit) => pass[column[visit] as number] === 1
      : (_visit, event) => pass[column[event] as number] === 1;
  }
  if (node.op === 'not' || node.op === 'has_done') {
    if (node.op === 'has_done' && node.node.op === 'leaf' && !isOfVisits(node.node))
      return bindHasDoneLeaf(bindLeaf(node.node, segment, arena), segment);
    const test = bindNode(node.node, segment, arena);
    return node.op === 'not' ? (visit, event) => !test(visit, event) : bindHasDone(test, segment);
  }
  if (node.op === 'of_visitor') {
    const visitor = segment.column('visitor');
    const classes = segment.column('class');
    const { pass } = node;
    return (visit) => (((pass[visitor[visit] as number] as number) >> (classes[visit] as number)) & 1) === 1;
  }
  const tests = node.nodes.map((part) => bindNode(part, segment, arena));
  return node.op === 'and'
    ? (visit, event) => tests.every((test) => test(visit, event))
    : (visit, event) => tests.some((test) => test(visit, event));
}

/** Tests the event's visit. Events of a visit come one after another, so the last visit is remembered. */
function bindHasDone(test: RowTest, segment: Segment): RowTest {
  const first = segment.column('first');
  let last = -1;
  let hasDone = false;
  return (visit) => {
    if (visit === last) return hasDone;
    last = visit;
    hasDone = false;
    const end = first[visit + 1] as number;
    for (let event = first[visit] as number; event < end && !hasDone; event += 1)
      hasDone = test(visit, event);
    return hasDone;
  };
}

/** Does the same for one dimension of events, without a call for each event. */
function bindHasDoneLeaf({ column, pass }: ColumnTest, segment: Segment): RowTest {
  if (!pass.includes(1)) return () => false;
  const first = segment.column('first');
  let last = -1;
  let hasDone = false;
  return (visit) => {
    if (visit === last) return hasDone;
    last = visit;
    const end = first[visit + 1] as number;
    let event = first[visit] as number;
    while (event < end && pass[column[event] as number] === 0) event += 1;
    hasDone = event < end;
    return hasDone;
  };
}
