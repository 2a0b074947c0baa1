import type { Breakdown } from '../../contract/metrics/stats.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { editFilters } from '../state/filter-edits.ts';
import { METRIC_FORMATS } from '../state/metric-formats.ts';
import type { ViewChanges } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { BarList } from './BarList.tsx';
import { toBarRow } from './bar-rows.tsx';
import { type Tab, toTabQuestion } from './panels.ts';

type Props = { tab: Tab; place: Place; view: ViewState; onChange: (changes: ViewChanges) => void };

const ROWS = 3;

/** The first rows of another tab, below a list that leaves room for them. */
export function NextList({ tab, place, view, onChange }: Props) {
  const { answer } = useReport<Breakdown>(place, '/stats/breakdown', {
    ...toTabQuestion(view, tab),
    limit: ROWS,
  });
  const rows = answer?.rows.filter(({ value }) => value !== null) ?? [];
  return (
    <div class="next-list">
      <BarList
        heads={[tab.label, METRIC_FORMATS.visitors.name]}
        rows={rows.map((row) =>
          toBarRow(row, rows, {
            tab,
            view,
            outcome: { goal: undefined, isFilter: false, view },
            domain: undefined,
          }),
        )}
        onPick={(value, edit) => onChange({ filters: editFilters(view.filters, tab.dimension, value, edit) })}
      />
    </div>
  );
}
