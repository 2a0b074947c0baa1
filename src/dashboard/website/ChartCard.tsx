import type { Dashboard } from '../../contract/metrics-dashboard.ts';
import { Menu } from '../components/Menu.tsx';
import type { ViewState } from '../view-state.ts';
import { INTERVAL_NAMES, intervalsFor } from './ranges.ts';
import type { ViewChanges } from './use-view.ts';

type Props = {
  answer: Dashboard | undefined;
  view: ViewState;
  onChange: (changes: ViewChanges) => void;
};

const KINDS = [
  { id: 'line', name: 'Line' },
  { id: 'bar', name: 'Bars' },
  { id: 'table', name: 'Table' },
] as const;

/** The chosen metric over time, as a line, as bars, or as a table. */
export function ChartCard({ answer, view, onChange }: Props) {
  return (
    <div class="chart-card">
      <div class="chart-tools">
        {answer && (
          <Menu label={INTERVAL_NAMES[answer.range.interval]} name="Interval" align="end">
            {intervalsFor(answer.range).map((interval) => (
              <button
                key={interval}
                type="button"
                aria-current={interval === answer.range.interval ? 'true' : undefined}
                onClick={() => onChange({ interval })}
              >
                {INTERVAL_NAMES[interval]}
              </button>
            ))}
          </Menu>
        )}
        <fieldset class="segments">
          <legend class="unseen">Form of the chart</legend>
          {KINDS.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              aria-pressed={view.chart === id}
              onClick={() => onChange({ chart: id })}
            >
              {name}
            </button>
          ))}
        </fieldset>
      </div>
    </div>
  );
}
