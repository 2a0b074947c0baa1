import { FILTER_DEPTH_MAX, FILTER_LEAVES_MAX } from '../../vocabulary/analytics.ts';
import { FILTER_PATTERNS_MAX, FILTER_VALUES_IN_ALL_MAX } from '../../vocabulary/contract.ts';

/** Operators that take one filter, in every filter syntax. */
export const NESTED = ['not', 'has_done', 'has_not_done'] as const;

/** A tree of joined and nested conditions. */
type Tree<Leaf, More> =
  | Leaf
  | { op: 'and' | 'or'; filters: Tree<Leaf, More>[] }
  | { op: 'not' | 'has_done' | More; filter: Tree<Leaf, More> };

/** The size of filters, including the segments that they name. */
export type FilterSize = { conditions: number; values: number; patterns: number };

/** Callbacks for a reader of conditions. */
export type Notes = {
  /** Records a fault and its position. */
  fault: (at: string, sentence: string) => undefined;
  /**
   * Called before anything is compiled. @returns false when the filters are too large: a fault was recorded, and the rest
   * is skipped
   */
  add: (size: FilterSize) => boolean;
};

type Language<Leaf, More> = {
  /** Description of the expected form, for error messages. */
  form: string;
  /** Additional operators that take one filter. */
  nested: readonly More[];
  /** Reads any other entry. */
  readLeaf: (entry: unknown[], at: string, notes: Notes) => Leaf | undefined;
};

const FAULTS_MAX = 20;

/**
 * Reads a list of filters, all of which must match: conditions, and lists such as `["and", [filters]]` and `["not",
 * filter]`.
 *
 * @param isOne the caller gave a single filter without a list
 * @param patternsMax lower than usual when other filters of the same question have patterns
 * @returns at most twenty faults, each with its position
 */
export function readFilterTree<Leaf, More extends string>(
  value: unknown,
  { form, nested, readLeaf }: Language<Leaf, More>,
  { isOne = false, patternsMax = FILTER_PATTERNS_MAX } = {},
): { filters: Tree<Leaf, More>[]; size: FilterSize; faults: string[] } {
  const faults: string[] = [];
  const size: FilterSize = { conditions: 0, values: 0, patterns: 0 };
  const filters = isOne ? compact([read(value, '', 1)]) : readList(value, '', 1);
  const tooMuch = findTooMuch();
  return { filters, size, faults: [...faults.slice(0, FAULTS_MAX), ...(tooMuch ? [tooMuch] : [])] };

  function add(more: FilterSize): boolean {
    size.conditions += more.conditions;
    size.values += more.values;
    size.patterns += more.patterns;
    return findTooMuch() === undefined;
  }

  function findTooMuch(): string | undefined {
    if (size.conditions > FILTER_LEAVES_MAX) return `Must have at most ${FILTER_LEAVES_MAX} conditions`;
    if (size.patterns > patternsMax) return `Must have at most ${FILTER_PATTERNS_MAX} regular expressions`;
    if (size.values > FILTER_VALUES_IN_ALL_MAX)
      return `Must have at most ${FILTER_VALUES_IN_ALL_MAX} values in all conditions together`;
    return undefined;
  }

  function readList(list: unknown, at: string, depth: number): Tree<Leaf, More>[] {
    if (Array.isArray(list))
      return compact(list.map((entry, index) => read(entry, `${at}[${index}]`, depth)));
    fault(at, form);
    return [];
  }

  function read(entry: unknown, at: string, depth: number): Tree<Leaf, More> | undefined {
    if (findTooMuch()) return undefined;
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
    return readLeaf(entry, at, { fault, add });
  }

  function fault(at: string, sentence: string): undefined {
    faults.push(at === '' ? sentence : `${at}: ${sentence}`);
  }
}

function compact<Item>(items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined);
}
