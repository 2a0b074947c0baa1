import { useRef, useState } from 'preact/hooks';
import { dateIn, describeRange, nameOfPeriod, periodOf, shiftRange } from '../state/ranges.ts';
import { formatRange, formatShortRange, type Range } from '../state/time-format.ts';
import { type ViewChanges, withRange } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { DatesDialog } from './lazy.ts';

type Props = {
  view: ViewState;
  /** Range that the service resolved the period to. */
  range: Range | undefined;
  /** Range that the figures are compared with. */
  compared?: Range | undefined;
  isChoosingDates: boolean;
  onChooseDates: (isOpen: boolean) => void;
  onChange: (changes: ViewChanges) => void;
};

/** The shown and compared days, with buttons to the days before and after. */
export function PeriodPicker({ view, range, compared, isChoosingDates, onChooseDates, onChange }: Props) {
  const [nowMs] = useState(Date.now);
  const button = useRef<HTMLButtonElement>(null);
  const today = range && dateIn(nowMs, range.timezone);
  const name = view.from ? 'Custom' : nameOfPeriod(view.period);
  const shift = (step: -1 | 1) => (range ? shiftRange(range, step, nowMs, periodOf(view)) : undefined);
  const shown = view.from && range ? formatRange(range) : name;
  return (
    <div class="period">
      <div class="period-steps">
        <StepButton
          step={-1}
          name="Previous"
          target={shift(-1)}
          timezone={range?.timezone}
          onChange={onChange}
        />
        <StepButton step={1} name="Next" target={shift(1)} timezone={range?.timezone} onChange={onChange} />
      </div>
      <button
        type="button"
        class="quiet menu-button"
        ref={button}
        aria-haspopup="dialog"
        onClick={() => onChooseDates(true)}
      >
        <svg class="chevron" viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
          <path d="M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3" />
        </svg>
        <span class="unseen">Period: </span>
        <span class="period-label">{shown}</span>{' '}
        {compared && <span class="period-compared quiet-text">vs. {formatShortRange(compared, nowMs)}</span>}
      </button>
      {isChoosingDates && range && today && (
        <DatesDialog
          view={view}
          range={range}
          today={today}
          at={placeBelow(button.current)}
          onClose={() => onChooseDates(false)}
          onChange={onChange}
        />
      )}
    </div>
  );
}

function placeBelow(button: HTMLElement | null): { top: number; end: number } {
  const { bottom = 0, right = innerWidth } = button?.getBoundingClientRect() ?? {};
  return { top: bottom, end: document.documentElement.clientWidth - right };
}

type StepButtonProps = {
  step: -1 | 1;
  name: string;
  target: { from: string; to: string } | undefined;
  timezone: string | undefined;
  onChange: (changes: ViewChanges) => void;
};

function StepButton({ step, name, target, timezone = 'UTC', onChange }: StepButtonProps) {
  const where = target ? `${name}: ${describeRange({ ...target, timezone })}` : name;
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
