import { useState } from 'preact/hooks';
import type { Period } from '../../vocabulary/contract.ts';
import type { Query } from '../api/client.ts';
import { download, type Place } from '../api/place.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Menu } from '../components/Menu.tsx';
import { FilterBar } from '../filters/FilterBar.tsx';
import { FilterDialog } from '../filters/FilterDialog.tsx';
import { nameOfPeriod, OFFERED_PERIODS, PERIOD_NAMES } from '../state/ranges.ts';
import { type ViewChanges, withPeriod } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { toQuestion } from '../state/view-state.ts';

type Props = {
  place: Place;
  view: ViewState;
  /** Path in the API that the CSV file comes from: `sessions`. */
  list: string;
  /** Parameters of the file besides period and filters. */
  question?: Query | undefined;
  /** Periods that are offered. */
  periods?: readonly Period[] | undefined;
  onChange: (changes: ViewChanges) => void;
};

/** Filters, period and CSV file of a report. */
export function ReportTools({
  place,
  view,
  list,
  question: more,
  periods = OFFERED_PERIODS,
  onChange,
}: Props) {
  const [edited, setEdited] = useState<{ index?: number }>();
  const question = { ...toQuestion(view), ...more };
  return (
    <div class="tools">
      <FilterBar
        place={place}
        filters={view.filters}
        onAdd={() => setEdited({})}
        onEdit={(index) => setEdited({ index })}
        onChange={(filters) => onChange({ filters })}
      />
      <Menu label={view.from ? 'Custom range' : nameOfPeriod(view.period)} align="end">
        {periods.map((period) => (
          <button
            key={period}
            type="button"
            aria-current={!view.from && period === view.period ? 'true' : undefined}
            onClick={() => onChange(withPeriod(period))}
          >
            {PERIOD_NAMES[period]}
          </button>
        ))}
      </Menu>
      <ActionButton onAct={() => download(place, `/${list}`, question)}>CSV</ActionButton>
      {edited && (
        <FilterDialog
          place={place}
          view={view}
          index={edited.index}
          onClose={() => setEdited(undefined)}
          onChange={(filters) => {
            setEdited(undefined);
            onChange({ filters });
          }}
        />
      )}
    </div>
  );
}
