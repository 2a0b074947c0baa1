import type { Journeys } from '../../metrics/reports/journeys.ts';
import { Link } from '../components/Link.tsx';
import { formatCountOf, formatPercent } from '../state/format.ts';
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
const NODE = 76;
/** Minimum width of a column; below it addresses are indistinguishable, so the drawing scrolls. */
const COLUMN_WIDTH_REM = 10;

/** Boxes with heights by visits, a column for each step, and bands between them. The list next to it shows the same. */
export function JourneyFlow({ journeys, anchor, addressOf }: Props) {
  const flow = toFlow(journeys);
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
              class={band.to.row ? 'journey-band' : 'journey-band rest'}
              d={toBandPath(band, edges(band.from, band.to))}
            />
          ))}
        </svg>
        {flow.nodes.map((node, index) => {
          const rate = formatPercent(journeys.visits === 0 ? 0 : node.visits / journeys.visits);
          const count = `${formatCountOf(node.visits, 'visits')}, ${rate}`;
          if (!node.row)
            return (
              <div
                key={index}
                class={`journey-node ${node.step === 0 ? 'anchor' : 'rest'}`}
                style={boxOf(node)}
                title={count}
              >
                <span>{node.step === 0 ? anchor : 'Others'}</span>
                <span class="number">{rate}</span>
              </div>
            );
          return (
            <Link
              key={index}
              class="journey-node"
              style={boxOf(node)}
              to={addressOf(node.row)}
              title={`${nameOfBranch(node.row)}: ${count}`}
            >
              <bdi>{nameOfBranch(node.row)}</bdi>
              <span class="number">{rate}</span>
            </Link>
          );
        })}
      </div>
    </div>
  );
}
