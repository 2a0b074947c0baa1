import { useEffect, useRef, useState } from 'preact/hooks';
import type { Journeys } from '../../metrics/reports/journeys.ts';
import { Link } from '../components/Link.tsx';
import { MiddleText } from '../components/MiddleText.tsx';
import { formatCount, formatCountOf, formatPercent } from '../state/format.ts';
import { type FlowNode, toBandPath, toFlow } from './flow-model.ts';
import { nameOfBranch } from './journey-names.ts';

type Props = {
  journeys: Journeys;
  /** Step that all journeys begin or end with. */
  anchor: string;
  /** Branches of the pinned path, the nearest to the anchor first. */
  pinned: readonly number[];
  /** Address that pins the path to a branch, or unpins it. */
  addressOf: (branch: number) => string;
};

/** Minimum columns, so that one step is not drawn wider than two. */
const COLUMNS_MIN = 3;
/** Width of a column in units of the view box. */
const COLUMN = 100;
const NODE = 84;
/** Minimum width of a column; below it addresses are indistinguishable, so the drawing scrolls. */
const COLUMN_WIDTH_REM = 11;
/** Height of a box from which its figures have a line of their own. */
const TALL = 48;
/** Pixels of the column before the pinned box that stay in view. */
const MARGIN = 40;

/** Boxes with heights by visits, a column for each step, and bands between them. The list next to it shows the same. */
export function JourneyFlow({ journeys, anchor, pinned, addressOf }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<number | null>>(new Set());
  useEffect(() => setOpened(new Set()), [journeys]);
  const flow = toFlow(journeys, { opened, pinned });
  const isFrom = journeys.direction === 'from';
  const columns = Math.max(COLUMNS_MIN, ...flow.nodes.map(({ step }) => step + 1));
  const columnOf = ({ step }: FlowNode) => (isFrom ? step : columns - 1 - step);
  const edges = (from: FlowNode, to: FlowNode) =>
    isFrom
      ? ([columnOf(from) * COLUMN + NODE, columnOf(to) * COLUMN] as const)
      : ([columnOf(from) * COLUMN, columnOf(to) * COLUMN + NODE] as const);
  const boxOf = (node: FlowNode) => ({
    left: `${(columnOf(node) * 100) / columns}%`,
    width: `${NODE / columns}%`,
    top: `${node.top}px`,
    height: `${node.height}px`,
  });
  const scroll = useRef<HTMLDivElement>(null);
  const end = pinned.at(-1);
  useEffect(() => {
    const box = scroll.current?.querySelector('[aria-current]:not(:has(~ [aria-current]))');
    const leftOf = (element: Element) => element.getBoundingClientRect().left;
    if (box && scroll.current) scroll.current.scrollLeft += leftOf(box) - leftOf(scroll.current) - MARGIN;
  }, [end]);
  return (
    <div class={`journey-scroll ${journeys.direction}`} ref={scroll}>
      <div
        class="journey-flow"
        style={{ height: `${flow.height}px`, 'min-width': `${columns * COLUMN_WIDTH_REM}rem` }}
      >
        <svg viewBox={`0 0 ${columns * COLUMN} ${flow.height}`} preserveAspectRatio="none" aria-hidden="true">
          {flow.bands.map((band, index) => (
            <path
              key={index}
              class={`journey-band ${band.to.kind} ${band.to.isLit ? '' : 'dim'}`}
              d={toBandPath(band, edges(band.from, band.to))}
            />
          ))}
        </svg>
        {flow.nodes.map((node, key) => {
          const rate = formatPercent(journeys.visits === 0 ? 0 : node.visits / journeys.visits);
          const shared = {
            class: `journey-node ${node.kind} ${node.isLit ? '' : 'dim'} ${node.height >= TALL ? 'tall' : ''}`,
            style: boxOf(node),
            title: `${nameOf(node, isFrom, anchor)}: ${formatCountOf(node.visits, 'visits')}, ${rate}`,
          };
          const content = (
            <>
              <MiddleText text={nameOf(node, isFrom, anchor)} />
              <span class="number">
                {formatCount(node.visits)} <span class="journey-rate">{rate}</span>
              </span>
            </>
          );
          const { index, parent } = node;
          if (index !== null)
            return (
              <Link
                key={key}
                {...shared}
                to={addressOf(index)}
                aria-current={pinned.includes(index) ? 'true' : undefined}
              >
                {content}
              </Link>
            );
          if (node.hidden === 0)
            return (
              <div key={key} {...shared}>
                {content}
              </div>
            );
          return (
            <button
              key={key}
              type="button"
              {...shared}
              onClick={() => setOpened(new Set([...opened, parent]))}
            >
              {content}
            </button>
          );
        })}
      </div>
    </div>
  );
}

function nameOf({ kind, hidden, row }: FlowNode, isFrom: boolean, anchor: string): string {
  if (kind === 'anchor') return anchor;
  if (row) return nameOfBranch(row);
  if (kind === 'left') return isFrom ? 'Left' : 'Entered';
  return hidden > 0 ? formatCountOf(hidden, 'others') : 'Others';
}
