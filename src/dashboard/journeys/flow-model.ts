import type { Journeys } from '../../metrics/reports/journeys.ts';

/**
 * Model of the drawing of journeys: boxes in columns, and bands between them. Heights are pixels, widths parts of a
 * column.
 */

type Row = Journeys['branches'][number];

/** A box. `row` is undefined for the anchor, and for branches too small to be drawn on their own. */
export type FlowNode = {
  row: Row | undefined;
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
/** Maximum branches drawn at one place; the rest are drawn together with those merged in the answer. */
const BRANCHES_MAX = 8;

export function toFlow({ branches, visits }: Pick<Journeys, 'branches' | 'visits'>): Flow {
  const nodes: FlowNode[] = [];
  const bands: FlowBand[] = [];
  const childrenOf = Map.groupBy(
    branches.map((row, index) => ({ row, index })),
    ({ row }) => row.parent,
  );
  const heightOf = (count: number) =>
    visits === 0 ? NODE_MIN : Math.max((count / visits) * HEIGHT, NODE_MIN);
  const root: FlowNode = { row: undefined, visits, step: 0, top: 0, height: heightOf(visits) };
  return { nodes, bands, height: place(root, null) };

  /** Places a node and its descendants from its top down. @returns their lower end */
  function place(node: FlowNode, index: number | null): number {
    nodes.push(node);
    const children = childrenOf.get(index) ?? [];
    const isDrawn = ({ row }: (typeof children)[number], rank: number) =>
      rank < BRANCHES_MAX && row.stop !== 'other';
    const drawn = children.filter(isDrawn);
    const others = children.filter((child, rank) => !isDrawn(child, rank));
    let top = node.top;
    let fromTop = node.top;
    const add = (row: Row | undefined, count: number, own: number | null): void => {
      const child = { row, visits: count, step: node.step + 1, top, height: heightOf(count) };
      const fromHeight = (count / node.visits) * node.height;
      bands.push({ from: node, to: child, fromTop, fromHeight });
      fromTop += fromHeight;
      top = (own === null ? leaf(child) : place(child, own)) + GAP;
    };
    for (const { row, index: own } of drawn) add(row, row.visits, own);
    const rest = others.reduce((sum, { row }) => sum + row.visits, 0);
    if (rest > 0) add(undefined, rest, null);
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
