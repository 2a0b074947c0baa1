import type { ApiError } from '../api/client.ts';
import { ownValue } from '../state/own-value.ts';
import { type ViewChanges, withPeriod } from '../state/use-view.ts';
import { DEFAULT_PERIOD, type ViewState } from '../state/view-state.ts';

type Props = { fault: ApiError; view: ViewState; onChange: (changes: ViewChanges) => void };

const FIELD_NAMES: Record<string, string> = {
  from: 'Start date',
  to: 'End date',
  period: 'Period',
  interval: 'Interval',
  filters: 'Filters',
  steps: 'Steps',
  anchor: 'Journeys',
  goal: 'Goal',
  compareFrom: 'Start date of the comparison',
  compareTo: 'End date of the comparison',
};

const DATES = /^(from|to|compareFrom|compareTo)$/;

/** Invalid parts of an address, with buttons to remove them. A retry would not help. */
export function BadAddress({ fault, view, onChange }: Props) {
  const faults = Object.entries(fault.fieldErrors);
  const isFaulty = (...names: string[]) => faults.some(([name]) => names.includes(name));
  const { from, to, interval, period, compareFrom, compareTo } = view;
  const given: Record<string, string | undefined> = { from, to, interval, period, compareFrom, compareTo };
  return (
    <div class="problem" role="alert">
      <div>
        <strong>This cannot be shown.</strong>
        <ul>
          {faults.map(([name, messages]) => (
            <li key={name}>
              {ownValue(FIELD_NAMES, name) ?? name}
              {ownValue(given, name) && ` “${given[name]}”`}
              {DATES.test(name)
                ? messages.map(describeDateFault).join('. ')
                : `: ${messages.map(describeFault).join('. ')}`}
            </li>
          ))}
        </ul>
      </div>
      {isFaulty('filters') && (
        <button type="button" class="quiet small" onClick={() => onChange({ filters: [] })}>
          Clear filters
        </button>
      )}
      {isFaulty('interval') && (
        <button type="button" class="quiet small" onClick={() => onChange({ interval: undefined })}>
          Choose an interval automatically
        </button>
      )}
      {isFaulty('compareFrom', 'compareTo') && (
        <button type="button" class="quiet small" onClick={() => onChange({ compare: 'previous' })}>
          Compare with the previous period
        </button>
      )}
      {isFaulty('from', 'to', 'period') && (
        <button type="button" class="quiet small" onClick={() => onChange(withPeriod(DEFAULT_PERIOD))}>
          Show the last 28 days
        </button>
      )}
    </div>
  );
}

/** Rewords an API message for users: without indices, lists of valid values and ids. */
function describeFault(message: string): string {
  return message
    .replace(/(\[\d+\])+: |\. Valid: .*/g, '')
    .replace(
      /Unknown (goal|segment) "[\da-f-]{30,36}…?": it may have been deleted/g,
      'it uses a $1 that was deleted',
    );
}

function describeDateFault(message: string): string {
  if (message.startsWith('Must be after')) return ' is not after the start date';
  return message === 'Must not be after today' ? ' is in the future' : ' is not a date';
}
