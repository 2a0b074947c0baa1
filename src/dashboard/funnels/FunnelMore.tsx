import { useMemo, useState } from 'preact/hooks';
import type { Funnel } from '../../metrics/reports/funnel.ts';
import { type Dimension, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import type { Interval } from '../../vocabulary/contract.ts';
import { HOUR_MS } from '../../vocabulary/durations.ts';
import type { Query } from '../api/client.ts';
import { download, type Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { ChoiceButtons } from '../components/Choice.tsx';
import { Problem } from '../components/Problem.tsx';
import { DimensionSelect } from '../filters/DimensionSelect.tsx';
import { Mark } from '../marks/Mark.tsx';
import { nameOfDimension } from '../state/dimension-names.ts';
import { editFilters } from '../state/filter-edits.ts';
import { formatCountLong } from '../state/format.ts';
import { INTERVAL_NAMES, intervalsFor } from '../state/ranges.ts';
import { formatPointTime } from '../state/time-format.ts';
import { addressOf, type ViewChanges } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import type { ViewState } from '../state/view-state.ts';
import { FunnelColumns } from './FunnelColumns.tsx';
import { type FunnelRow, FunnelTable, partThrough } from './FunnelTable.tsx';
import { FUNNEL_CODEC } from './funnel-state.ts';

type Props = {
  place: Place;
  view: ViewState;
  /** Names of the steps. */
  names: readonly string[];
  /** Question of the funnel. */
  question: Query;
  /** Range of the answer. */
  range: Funnel['range'];
  /** Dimension that the address names. */
  group: string | undefined;
  onChange: (changes: ViewChanges) => void;
  onGroup: (dimension: string) => void;
};

type Groups = NonNullable<Funnel['groups']>;

const GROUPS = 20;
/** Maximum points that can be distinguished; longer ranges get longer intervals by default. */
const POINTS_MAX = 62;

function intervalFor({ from, to }: Funnel['range']): Interval {
  const hours = (Date.parse(to) - Date.parse(from)) / HOUR_MS;
  if (hours <= POINTS_MAX) return 'hour';
  if (hours <= POINTS_MAX * 24) return 'day';
  return hours <= POINTS_MAX * 24 * 7 ? 'week' : 'month';
}

/** The funnel over time, and by the values of a dimension. */
export function FunnelMore({ place, view, names, question, range, group, onChange, onGroup }: Props) {
  const intervals = intervalsFor(range).filter((name) => name !== 'minute');
  const interval = intervals.find((name) => name === view.interval) ?? intervalFor(range);
  const dimension = (group ?? 'source') as Dimension; // the service judges what an address names
  const [hasAll, setAll] = useState(false);
  const [isByRate, setByRate] = useState(false);
  const asked = { ...question, interval, dimension, limit: hasAll ? LIST_LIMIT_MAX : GROUPS };
  const { answer, fault, retry, isLoading, isOld } = useReport<Funnel>(place, '/stats/funnel', asked);
  const steps = useMemo(() => names, [answer]);
  const { points = [], groups = [], groupTotal = 0 } = answer ?? {};
  const rows = points.map(({ time, local, incomplete, reached }) => ({
    key: time,
    label: formatPointTime(local, interval),
    note: incomplete ? 'not complete' : undefined,
    reached,
  }));
  const rowsOf = (of: Groups): FunnelRow[] =>
    of.map(({ value, reached }) => ({
      key: String(value),
      label: nameOfValue(dimension, value),
      mark: <Mark dimension={dimension} value={value} />,
      to: addressOf({ filters: editFilters(view.filters, dimension, value ?? '', 'only') }, FUNNEL_CODEC),
      reached,
    }));
  const card = `card funnel-card ${isOld ? 'old' : ''}`;
  return (
    <>
      {fault && <Problem fault={fault} onRetry={retry} />}
      <section class={card} aria-labelledby="funnel-time" aria-busy={isLoading}>
        <header class="funnel-title">
          <h2 id="funnel-time">Over time</h2>
          <ChoiceButtons
            label="Interval"
            names={INTERVAL_NAMES}
            among={intervals}
            value={interval}
            onChange={(name) => onChange({ interval: name })}
          />
          <ActionButton onAct={() => download(place, '/stats/funnel', { ...question, interval })}>
            CSV<span class="unseen"> over time</span>
          </ActionButton>
        </header>
        {answer && (
          <>
            <FunnelColumns rows={rows} />
            <details class="funnel-table">
              <summary>As a table</summary>
              <FunnelTable name="Points" head="Entered" steps={steps} rows={rows} />
            </details>
          </>
        )}
      </section>
      <section class={card} aria-labelledby="funnel-groups" aria-busy={isLoading}>
        <header class="funnel-title">
          <h2 id="funnel-groups">By</h2>
          <DimensionSelect place={place} view={view} value={dimension} onChange={onGroup} />
          <ActionButton onAct={() => download(place, '/stats/funnel', { ...question, dimension })}>
            CSV<span class="unseen"> of all groups</span>
          </ActionButton>
        </header>
        {answer && groups.length === 0 && <p class="panel-empty">No one reached the first step.</p>}
        {answer && groups.length > 0 && (
          <FunnelTable
            name="Groups"
            head={nameOfDimension(dimension)}
            steps={steps}
            rows={isByRate ? rowsOf(groups).sort(byRate) : rowsOf(groups)}
            onSort={() => setByRate(!isByRate)}
            isSorted={isByRate}
          />
        )}
        {answer && groups.length < groupTotal && (
          <p class="page-foot quiet-text">
            Top {groups.length} of {formatCountLong(groupTotal)}.{' '}
            {!hasAll && (
              <button type="button" class="plain" onClick={() => setAll(true)}>
                Show {groupTotal > LIST_LIMIT_MAX ? formatCountLong(LIST_LIMIT_MAX) : 'all'}
              </button>
            )}
          </p>
        )}
      </section>
    </>
  );
}

function byRate(a: FunnelRow, b: FunnelRow): number {
  return partThrough(b.reached) - partThrough(a.reached);
}
