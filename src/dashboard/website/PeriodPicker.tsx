import { useState } from 'preact/hooks';
import { COMPARISONS, type Comparison, PERIODS } from '../../contract/vocabulary.ts';
import { Menu } from '../components/Menu.tsx';
import { formatRange } from '../time-format.ts';
import type { ViewState } from '../view-state.ts';
import { RangeDialog } from './RangeDialog.tsx';
import { COMPARISON_NAMES, dateIn, PERIOD_NAMES, shiftRange } from './ranges.ts';
import { PERIOD_KEYS } from './shortcuts.ts';
import { type ViewChanges, withPeriod, withRange } from './use-view.ts';

type Props = {
  view: ViewState;
  /** What the service made of the period. */
  range: { from: string; to: string; timezone: string } | undefined;
  isChoosingDates: boolean;
  onChooseDates: (isOpen: boolean) => void;
  onChange: (changes: ViewChanges) => void;
};

const SHORT_NAMES: Record<Comparison, string> = { previous: 'vs. previous', year: 'vs. a year ago' };

/** Which days are shown, the ones before and after, and what they are compared with. */
export function PeriodPicker({ view, range, isChoosingDates, onChooseDates, onChange }: Props) {
  const [nowMs] = useState(Date.now);
  const today = range && dateIn(nowMs, range.timezone);
  const name = view.from ? 'Custom' : PERIOD_NAMES[view.period];
  const isComparable = view.from !== undefined || view.period !== 'all'; // nothing came before all of time
  const shift = (step: -1 | 1) => (range ? shiftRange(range, step, nowMs) : undefined);
  return (
    <div class="period">
      <div class="period-steps">
        <StepButton step={-1} target={shift(-1)} onChange={onChange} />
        <StepButton step={1} target={shift(1)} onChange={onChange} />
      </div>
      <Menu
        align="end"
        name={`Period: ${name}`}
        label={
          <span class="period-label">
            {view.from && range ? formatRange(range.from, range.to, range.timezone) : name}
          </span>
        }
      >
        {PERIODS.map((period) => (
          <button
            key={period}
            type="button"
            aria-current={!view.from && period === view.period ? 'true' : undefined}
            onClick={() => onChange(withPeriod(period))}
          >
            {PERIOD_NAMES[period]} <kbd>{PERIOD_KEYS[period]}</kbd>
          </button>
        ))}
        <button
          type="button"
          aria-current={view.from ? 'true' : undefined}
          onClick={() => onChooseDates(true)}
        >
          Custom range… <kbd>C</kbd>
        </button>
      </Menu>
      {isComparable && (
        <Menu align="end" label={view.compare ? SHORT_NAMES[view.compare] : 'Compare'}>
          {COMPARISONS.map((comparison) => (
            <button
              key={comparison}
              type="button"
              aria-current={comparison === view.compare ? 'true' : undefined}
              onClick={() => onChange({ compare: comparison })}
            >
              {COMPARISON_NAMES[comparison]}
            </button>
          ))}
          <button type="button" onClick={() => onChange({ compare: undefined })}>
            No comparison <kbd>X</kbd>
          </button>
        </Menu>
      )}
      {isChoosingDates && range && (
        <RangeDialog
          range={range}
          today={today ?? ''}
          onClose={() => onChooseDates(false)}
          onChoose={(from, to) => {
            onChooseDates(false);
            onChange(withRange(from, to));
          }}
        />
      )}
    </div>
  );
}

type StepButtonProps = {
  step: -1 | 1;
  target: { from: string; to: string } | undefined;
  onChange: (changes: ViewChanges) => void;
};

function StepButton({ step, target, onChange }: StepButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={step < 0 ? 'Earlier' : 'Later'}
      disabled={!target}
      onClick={() => target && onChange(withRange(target.from, target.to))}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={step < 0 ? 'M10 3L5 8l5 5' : 'M6 3l5 5-5 5'} />
      </svg>
    </button>
  );
}
