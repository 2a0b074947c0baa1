import { areaPath, linePaths } from './paths.ts';
import { toPositions } from './positions.ts';

const WIDTH = 120;
const HEIGHT = 32;
/** Space above the highest point for half a stroke. */
const PADDING = 2;

/**
 * Shape of a series next to the text that names it; hidden from screen readers. The last value is of a
 * period still in progress.
 */
export function Sparkline({ values }: { values: readonly number[] }) {
  const largest = Math.max(1, ...values);
  const base = HEIGHT - PADDING;
  const xs = toPositions(values.length, { start: PADDING, length: WIDTH - 2 * PADDING }, 'line');
  const marks = values.map((value, index) => ({
    x: xs[index] ?? 0,
    y: base - (value / largest) * (base - PADDING),
    isIncomplete: index === values.length - 1,
  }));
  const { solid, dashed, dots } = linePaths(marks);
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="sparkline-area" d={areaPath(marks, HEIGHT)} />
      <path class="sparkline-line" d={solid + dots} />
      <path class="sparkline-line sparkline-open" d={dashed} />
    </svg>
  );
}
