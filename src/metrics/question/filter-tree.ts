import { FILTER_DEPTH_MAX, FILTER_LEAVES_MAX } from '../../vocabulary/analytics.ts';
import { FILTER_PATTERNS_MAX } from '../../vocabulary/contract.ts';
import { countPatterns, type PatternTree, TOO_MANY_PATTERNS } from './patterns.ts';

/** The operators that take one filter in every language. */
export const NESTED = ['not', 'has_done', 'has_not_done'] as const;

/** Conditions, joined and nested. */
type Tree<Leaf, More> =
  | Leaf
  | { op: 'and' | 'or'; filters: Tree<Leaf, More>[] }
  | { op: 'not' | 'has_done' | More; filter: Tree<Leaf, More> };

/** What the reader of a condition has to say beside it. */
export type Notes = {
  /** What is wrong where. */
  fault: (at: string, sentence: string) => undefined;
  /** It stands for so many conditions more than one. */
  addLeaves: (count: number) => void;
};

type Language<Leaf, More> = {
  /** What a list of filters looks like, for whoever wrote something else. */
  form: string;
  /** Further operators that take one filter. */
  nested: readonly More[];
  /** Reads any other entry. */
  readLeaf: (entry: unknown[], at: string, notes: Notes) => Leaf | undefined;
};

const FAULTS_MAX = 20;

/**
 * Reads a list of filters, of which all must hold: conditions, and lists as `["and", [filters]]` and `["not", filter]`.
 *
 * @param isOne it is the caller's only filter, without a list
 * @returns at most twenty faults, each with its place
 */
export function readFilterTree<Leaf extends PatternTree, More extends string>(
  value: unknown,
  { form, nested, readLeaf }: Language<Leaf, More>,
  isOne = false,
): { filters: Tree<Leaf, More>[]; leaves: number; faults: string[] } {
  const faults: string[] = [];
  let leaves = 0;
  const notes: Notes = {
    fault,
    addLeaves: (count) => {
      leaves += count;
    },
  };
  const filters = isOne ? compact([read(value, '', 1)]) : readList(value, '', 1);
  if (leaves > FILTER_LEAVES_MAX) faults.push(`Must have at most ${FILTER_LEAVES_MAX} conditions`);
  if (countPatterns(filters) > FILTER_PATTERNS_MAX) faults.push(TOO_MANY_PATTERNS);
  return { filters, leaves, faults: faults.slice(0, FAULTS_MAX) };

  function readList(list: unknown, at: string, depth: number): Tree<Leaf, More>[] {
    if (Array.isArray(list))
      return compact(list.map((entry, index) => read(entry, `${at}[${index}]`, depth)));
    fault(at, form);
    return [];
  }

  function read(entry: unknown, at: string, depth: number): Tree<Leaf, More> | undefined {
    if (depth > FILTER_DEPTH_MAX) return fault(at, `Must be nested at most ${FILTER_DEPTH_MAX} deep`);
    if (!Array.isArray(entry)) return fault(at, form);
    const [operator, operand, ...more] = entry;
    const isJoined = operator === 'and' || operator === 'or';
    const isNested = NESTED.includes(operator) || nested.includes(operator);
    if ((isJoined || isNested) && more.length > 0)
      return fault(`${at}[2]`, `${operator} takes one ${isJoined ? 'list of filters' : 'filter'}`);
    if (isJoined) {
      if (Array.isArray(operand) && operand.length === 0) fault(`${at}[1]`, 'Must have at least one filter');
      return { op: operator, filters: readList(operand, `${at}[1]`, depth + 1) };
    }
    if (isNested) {
      const filter = read(operand, `${at}[1]`, depth + 1);
      if (!filter) return undefined;
      return operator === 'has_not_done'
        ? { op: 'not', filter: { op: 'has_done', filter } }
        : { op: operator, filter };
    }
    leaves += 1;
    return readLeaf(entry, at, notes);
  }

  function fault(at: string, sentence: string): undefined {
    faults.push(at === '' ? sentence : `${at}: ${sentence}`);
  }
}

function compact<Item>(items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined);
}
