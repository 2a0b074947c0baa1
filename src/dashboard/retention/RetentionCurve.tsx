import type { Retention } from '../../metrics/reports/retention.ts';
import { linePaths } from '../charts/paths.ts';
import { formatPercent } from '../state/format.ts';

type Props = Pick<Retention, 'means' | 'interval'>;

const WIDTH = 600;
const HEIGHT = 100;
/** Space above and below the line for half a stroke. */
const PADDING = 3;

/** Mean of all cohorts by how long ago their first point is. The first row of the table has the figures. */
export function RetentionCurve({ means, interval }: Props) {
  const end = means.findLastIndex((mean) => mean !== null);
  const shown = means.slice(1, end + 1).map((mean) => mean ?? 0);
  const [first = 0] = shown;
  if (shown.length < 2) return null;
  const largest = Math.max(...shown);
  const marks = shown.map((mean, index) => ({
    x: (index * WIDTH) / (shown.length - 1),
    y: HEIGHT - PADDING - (largest > 0 ? mean / largest : 0) * (HEIGHT - 2 * PADDING),
    isIncomplete: false,
  }));
  const nameOf = (after: number) => `${interval} ${after}`;
  const summary = `${formatPercent(first)} came back in ${nameOf(1)}, ${formatPercent(shown.at(-1) ?? 0)} in ${nameOf(shown.length)}`;
  return (
    <div class="retention-curve" role="img" aria-label={`Mean of all ${interval}s: ${summary}.`}>
      <p class="retention-summary" aria-hidden="true">
        <strong class="number">{formatPercent(first)}</strong> came back in {nameOf(1)},{' '}
        <strong class="number">{formatPercent(shown.at(-1) ?? 0)}</strong> in {nameOf(shown.length)}
      </p>
      <div class="retention-plot" aria-hidden="true">
        <span class="retention-top number">{formatPercent(largest)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={linePaths(marks, true).solid} />
        </svg>
        {marks.map(({ x, y }, index) => (
          <i
            key={index}
            style={{ left: `${(x * 100) / WIDTH}%`, top: `${(y * 100) / HEIGHT}%` }}
            title={`${nameOf(index + 1)}: ${formatPercent(shown[index] ?? 0)}`}
          />
        ))}
      </div>
      <p class="retention-ends quiet-text" aria-hidden="true">
        <span class="capital">{nameOf(1)}</span>
        <span class="capital">{nameOf(shown.length)}</span>
      </p>
    </div>
  );
}
