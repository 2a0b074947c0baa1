import { useState } from 'preact/hooks';
import { Menu } from '../components/Menu.tsx';
import { formatRange } from '../time-format.ts';
import type { ViewState } from '../view-state.ts';
import { ComparisonPicker } from './ComparisonPicker.tsx';
import { RangeDialog } from './RangeDialog.tsx';
import { dateIn, OFFERED_PERIODS, PERIOD_NAMES, shiftRange, tellRange } from './ranges.ts';
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
        <StepButton
          step={-1}
          name="Earlier"
          target={shift(-1)}
          timezone={range?.timezone}
          onChange={onChange}
        />
        <StepButton step={1} name="Later" target={shift(1)} timezone={range?.timezone} onChange={onChange} />
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
        {OFFERED_PERIODS.map((period) => (
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
      {isComparable && <ComparisonPicker view={view} range={range} today={today ?? ''} onChange={onChange} />}
      {isChoosingDates && range && (
        <RangeDialog
          title="Custom range"
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
  name: string;
  target: { from: string; to: string } | undefined;
  timezone: string | undefined;
  onChange: (changes: ViewChanges) => void;
};

function StepButton({ step, name, target, timezone = 'UTC', onChange }: StepButtonProps) {
  const where = target ? `${name}: ${tellRange(target, timezone)}` : name;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={where}
      title={where}
      disabled={!target}
      onClick={() => target && onChange(withRange(target.from, target.to))}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={step < 0 ? 'M10 3L5 8l5 5' : 'M6 3l5 5-5 5'} />
      </svg>
    </button>
  );
}
