import { useEffect, useState } from 'preact/hooks';
import type { Journeys } from '../../metrics/reports/journeys.ts';
import { Link } from '../components/Link.tsx';
import { MiddleText } from '../components/MiddleText.tsx';
import { formatCount, formatCountOf, formatPercent } from '../state/format.ts';
import { type FlowNode, toBandPath, toFlow } from './flow-model.ts';
import { nameOfBranch } from './journey-names.ts';

type Branch = Journeys['branches'][number];
type Props = {
  journeys: Journeys;
  /** Step that all journeys begin or end with. */
  anchor: string;
  /** Address of the journeys from or to a branch. */
  addressOf: (branch: Branch) => string;
};

/** Minimum columns, so that one step is not drawn wider than two. */
const COLUMNS_MIN = 3;
/** Width of a column in units of the view box. */
const COLUMN = 100;
const NODE = 84;
/** Minimum width of a column; below it addresses are indistinguishable, so the drawing scrolls. */
const COLUMN_WIDTH_REM = 12;

/** Boxes with heights by visits, a column for each step, and bands between them. The list next to it shows the same. */
export function JourneyFlow({ journeys, anchor, addressOf }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<number | null>>(new Set());
  useEffect(() => setOpened(new Set()), [journeys]);
  const flow = toFlow(journeys, opened);
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
  return (
    <div class={`journey-scroll ${journeys.direction}`}>
      <div
        class="journey-flow"
        style={{ height: `${flow.height}px`, 'min-width': `${columns * COLUMN_WIDTH_REM}rem` }}
      >
        <svg viewBox={`0 0 ${columns * COLUMN} ${flow.height}`} preserveAspectRatio="none" aria-hidden="true">
          {flow.bands.map((band, index) => (
            <path
              key={index}
              class={`journey-band ${band.to.kind}`}
              d={toBandPath(band, edges(band.from, band.to))}
            />
          ))}
        </svg>
        {flow.nodes.map((node, index) => {
          const rate = formatPercent(journeys.visits === 0 ? 0 : node.visits / journeys.visits);
          const title = `${nameOf(node, isFrom, anchor)}: ${formatCountOf(node.visits, 'visits')}, ${rate}`;
          const shared = { class: `journey-node ${node.kind}`, style: boxOf(node), title };
          const content = (
            <>
              <MiddleText text={nameOf(node, isFrom, anchor)} />
              <span class="number">
                {formatCount(node.visits)} <span class="journey-rate">{rate}</span>
              </span>
            </>
          );
          if (node.row)
            return (
              <Link key={index} {...shared} to={addressOf(node.row)}>
                {content}
              </Link>
            );
          if (node.hidden === 0)
            return (
              <div key={index} {...shared}>
                {content}
              </div>
            );
          return (
            <button
              key={index}
              type="button"
              {...shared}
              onClick={() => setOpened(new Set([...opened, node.parent]))}
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
  return hidden > 0 ? `${formatCountOf(hidden, 'others')}` : 'Others';
}
