import type { Journeys } from '../../metrics/reports/journeys.ts';

/**
 * Model of the drawing of journeys: boxes in columns, and bands between them. Heights are pixels, widths parts of a
 * column.
 */

type Row = Journeys['branches'][number];

/** A box. `row` is undefined for the anchor, for branches that are drawn together, and for visits that ended. */
export type FlowNode = {
  kind: 'anchor' | 'step' | 'others' | 'left';
  /** Index of its branch; null for a box that is none. */
  index: number | null;
  /** Index of the branch that it follows; null after the anchor. */
  parent: number | null;
  /** Branches of others that can be drawn on their own. */
  hidden: number;
  row: Row | undefined;
  /** On the pinned path, or beyond its end. */
  isLit: boolean;
  visits: number;
  step: number;
  top: number;
  height: number;
};
type FlowBand = { from: FlowNode; to: FlowNode; fromTop: number; fromHeight: number };
type Flow = { nodes: FlowNode[]; bands: FlowBand[]; height: number };

/** Height of all visits, minimum height of a branch, and gap between two, in pixels. */
const HEIGHT = 320;
const NODE_MIN = 24;
const GAP = 6;
/** Maximum branches drawn after one box until the others are opened. Those merged in the answer stay together. */
const BRANCHES_MAX = 5;
/** Minimum part of all visits in a branch that is drawn after a box that is neither on the pinned path nor opened. */
const DRAWN_MIN = 0.01;

type Choices = {
  /** Branches (null: the anchor) after which all steps are drawn. */
  opened?: ReadonlySet<number | null>;
  /** Branches of the pinned path, the nearest to the anchor first. What is neither on it nor beyond it is not followed. */
  pinned?: readonly number[];
};

export function toFlow(
  { branches, visits, ended }: Pick<Journeys, 'branches' | 'visits' | 'ended'>,
  { opened = new Set(), pinned = [] }: Choices = {},
): Flow {
  const nodes: FlowNode[] = [];
  const bands: FlowBand[] = [];
  const childrenOf = Map.groupBy(
    branches.map((row, index) => ({ row, index })),
    ({ row }) => row.parent,
  );
  const heightOf = (count: number) =>
    visits === 0 ? NODE_MIN : Math.max((count / visits) * HEIGHT, NODE_MIN);
  const end = pinned.at(-1) ?? null;
  const root: FlowNode = {
    kind: 'anchor',
    index: null,
    parent: null,
    hidden: 0,
    row: undefined,
    isLit: true,
    visits,
    step: 0,
    top: 0,
    height: heightOf(visits),
  };
  return { nodes, bands, height: place(root, null, end === null) };

  /**
   * Places a node and its descendants from its top down.
   *
   * @param isEnd it is the end of the pinned path, or beyond it
   * @returns their lower end
   */
  function place(node: FlowNode, index: number | null, isEnd: boolean): number {
    nodes.push(node);
    if (!node.isLit) return node.top + node.height;
    const children = childrenOf.get(index) ?? [];
    const visitsMin = index === null || pinned.includes(index) ? 0 : visits * DRAWN_MIN;
    const isDrawn = ({ row, index: own }: (typeof children)[number], rank: number) => {
      if (row.stop === 'other') return false;
      if (opened.has(index) || pinned.includes(own) || children.length === 1) return true;
      return rank < BRANCHES_MAX && row.visits >= visitsMin;
    };
    const drawn = children.filter(isDrawn);
    const others = children.filter((child, rank) => !isDrawn(child, rank));
    let top = node.top;
    let fromTop = node.top;
    const add = (
      kind: FlowNode['kind'],
      count: number,
      { row, own = null, hidden = 0 }: { row?: Row; own?: number | null; hidden?: number } = {},
    ): void => {
      const step = node.step + 1;
      const height = heightOf(count);
      const isLit = isEnd || (own !== null && pinned.includes(own));
      const child = { kind, index: own, parent: index, hidden, row, isLit, visits: count, step, top, height };
      const fromHeight = (count / node.visits) * node.height;
      bands.push({ from: node, to: child, fromTop, fromHeight });
      fromTop += fromHeight;
      top = (own === null ? leaf(child) : place(child, own, isEnd || own === end)) + GAP;
    };
    for (const { row, index: own } of drawn) add('step', row.visits, { row, own });
    const rest = others.reduce((sum, { row }) => sum + row.visits, 0);
    const hidden = others.filter(({ row }) => row.stop !== 'other').length;
    if (rest > 0) add('others', rest, { hidden });
    const left = index === null ? ended : (node.row?.ended ?? 0);
    if (left > 0) add('left', left);
    return Math.max(node.top + node.height, top - GAP);
  }

  function leaf(node: FlowNode): number {
    nodes.push(node);
    return node.top + node.height;
  }
}

/** A band as an SVG path from one x to the other. */
export function toBandPath(
  { to, fromTop, fromHeight }: FlowBand,
  [x, endX]: readonly [number, number],
): string {
  const middle = (x + endX) / 2;
  const [begin, end] = [fromTop + fromHeight, to.top + to.height].map((y) => y.toFixed(1));
  const [beginTop, endTop] = [fromTop, to.top].map((y) => y.toFixed(1));
  return `M${x} ${beginTop}C${middle} ${beginTop} ${middle} ${endTop} ${endX} ${endTop}V${end}C${middle} ${end} ${middle} ${begin} ${x} ${begin}Z`;
}
