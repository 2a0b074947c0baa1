import type { Journeys } from '../../contract/metrics/journeys.ts';
import { Link } from '../components/Link.tsx';
import { formatPercent, formatCountOf } from '../state/format.ts';
import { type FlowNode, toBandPath, toFlow } from './flow-model.ts';
import { nameOfBranch } from './journey-names.ts';

type Branch = Journeys['branches'][number];
type Props = {
  journeys: Journeys;
  /** What all of them begin or end with. */
  anchor: string;
  /** Where a branch leads: to journeys from it, or to it. */
  addressOf: (branch: Branch) => string;
};

/** A drawing of one step is no wider than one of two. */
const COLUMNS_MIN = 3;
/** Of a column, for a drawing of any width. */
const COLUMN = 100;
const NODE = 76;
/** Below that, no address can be told from another: it is scrolled. */
const COLUMN_WIDTH_REM = 10;

/** Boxes as high as they have visits, a column for each step, and bands from one to the next. The list beside it says the same. */
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
