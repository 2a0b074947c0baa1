import type { PropertyKeys, PropertyValues } from '../../contract/metrics/pages.ts';
import { type Dimension, REVENUE_KEY } from '../../vocabulary/analytics.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { Choice } from '../components/Choice.tsx';
import { Problem } from '../components/Problem.tsx';
import { Amounts } from '../revenue/Amounts.tsx';
import { editFilters } from '../state/filter-edits.ts';
import { formatCount, formatDecimalLong } from '../state/format.ts';
import { addressOf, type ViewChanges } from '../state/use-view.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';
import { BarList } from './BarList.tsx';
import { PANEL_ROWS } from './panels.ts';

type Props = {
  place: Place;
  view: ViewState;
  /** The chosen property; by default the most frequent that has no tab of its own. */
  chosen: string | undefined;
  /** The page already shows the fault. */
  isReported: boolean;
  onChoose: (key: string) => void;
  onDetails: (key: string) => void;
  onChange: (changes: ViewChanges) => void;
};

const KEYS_MAX = 100;
/** Properties with tabs of their own: those of clicks, and the names of custom events. */
const SHOWN_BESIDE = ['href', 'text', 'id', 'type', 'name'];

/** A property of events: its values, and statistics of its numbers. */
export function PropertyList({ place, view, chosen, isReported, onChoose, onDetails, onChange }: Props) {
  const question = toQuestion(view);
  const keys = useReport<PropertyKeys>(place, '/stats/properties', { ...question, limit: KEYS_MAX });
  const all = keys.answer?.properties.map(({ key }) => key) ?? [];
  const present = all.filter((each) => each !== REVENUE_KEY); // a column of the others
  const key = chosen ?? present.find((each) => !SHOWN_BESIDE.includes(each)) ?? present[0];
  const values = useReport<PropertyValues>(
    place,
    `/stats/properties/${encodeURIComponent(key ?? '')}`,
    key === undefined ? undefined : { ...question, limit: PANEL_ROWS },
  );
  const isLoading = keys.isLoading || values.isLoading;
  const fault = keys.fault ?? values.fault;
  if (fault && isReported && !values.answer) return null;
  if (fault && !isReported) return <Problem fault={fault} onRetry={keys.fault ? keys.retry : values.retry} />;
  if (keys.answer && key === undefined)
    return <p class="panel-empty">No events with properties in this period.</p>;
  const { answer } = values;
  const dimension: Dimension = `property:${key}`;
  const most = Math.max(...(answer?.values.map(({ visitors }) => visitors) ?? []), 1);
  return (
    <>
      <p class="property-head" aria-busy={isLoading}>
        <Choice
          aria-label="Property"
          names={Object.fromEntries(
            [...(key === undefined ? [] : [key]), ...present].map((each) => [each, each]),
          )}
          value={key ?? ''}
          onChange={onChoose}
        />
        {answer?.numbers && (
          <span class="quiet-text number">
            sum {formatDecimalLong(answer.numbers.sum)} · average {formatDecimalLong(answer.numbers.average)}{' '}
            · {formatDecimalLong(answer.numbers.min)} to {formatDecimalLong(answer.numbers.max)}
          </span>
        )}
        {key !== undefined && (
          <button type="button" class="plain" onClick={() => onDetails(key)}>
            Details<span class="unseen"> of the property {key}</span>
          </button>
        )}
      </p>
      <BarList
        rows={(answer?.values ?? []).map(({ value, visitors, events, revenue = [] }) => ({
          key: value,
          label: value,
          part: visitors / most,
          value: formatCount(visitors),
          ...(revenue.length > 0
            ? {
                money: <Amounts list={revenue.map(({ currency, total }) => ({ currency, amount: total }))} />,
              }
            : { note: { count: events, unit: 'event' } }),
          href: addressOf({ filters: editFilters(view.filters, dimension, value, 'only') }),
        }))}
        onPick={(value, edit) => onChange({ filters: editFilters(view.filters, dimension, value, edit) })}
      />
    </>
  );
}
