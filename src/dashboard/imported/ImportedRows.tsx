import type { ImportedStats } from '../../contract/metrics/imported.ts';
import { Mark } from '../marks/Mark.tsx';
import { formatCount } from '../state/format.ts';
import { nameOfValue } from '../state/value-names.ts';

const ROWS_MAX = 5;

/** Values of a dimension in imported days, below the list of the events' values. */
export function ImportedRows({ list }: { list: ImportedStats['breakdowns'][number] }) {
  const { dimension, isIncluded, rows, total } = list;
  if (!isIncluded) return <p class="imported-note">Imported sums are not included in this list.</p>;
  const shown = rows.filter(({ value }) => value !== null).slice(0, ROWS_MAX);
  if (shown.length === 0) return null;
  const most = Math.max(...shown.map(({ visitors }) => visitors), 1);
  return (
    <section class="imported-rows" aria-label="Imported">
      <p class="bars-head">
        <span>Imported{total > shown.length ? `, ${shown.length} of ${total}` : ''}</span>
        <span aria-hidden="true">By day</span>
      </p>
      <ul class="bars">
        {shown.map(({ value, visitors }) => (
          <li key={value} class="bar-row">
            <span class="bar imported-bar" style={{ width: `${Math.max((visitors / most) * 100, 0.5)}%` }} />
            <span class="bar-label">
              <Mark dimension={dimension} value={value} />
              <span class="bar-name">
                <bdi>{nameOfValue(dimension, value)}</bdi>
              </span>
            </span>
            <span class="bar-value number">
              {formatCount(visitors)}
              <span class="unseen"> visitors, counted by day</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
