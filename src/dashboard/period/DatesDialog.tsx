import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { COMPARISON_MATCHES, type Comparison, type ComparisonMatch } from '../../vocabulary/contract.ts';
import { Dialog } from '../components/Dialog.tsx';
import { comparisonOf, rememberComparison } from '../state/comparison.ts';
import {
  COMPARISON_NAMES,
  daysOf,
  MATCH_NAMES,
  OFFERED_PERIODS,
  PERIOD_NAMES,
  shiftRange,
} from '../state/ranges.ts';
import { PERIOD_KEYS } from '../state/shortcuts.ts';
import type { Range } from '../state/time-format.ts';
import { type ViewChanges, withPeriod, withRange } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { Calendar } from './Calendar.tsx';
import { RangeForm } from './RangeForm.tsx';

type Props = {
  view: ViewState;
  /** Range that is shown. */
  range: Range;
  /** The last day that can be chosen. */
  today: string;
  /** Lower end corner of the button it opens below, from the top and the end of the window. */
  at: { top: number; end: number };
  onChange: (changes: ViewChanges) => void;
  onClose: () => void;
};

/** Choice of the shown and the compared days: periods, a calendar, and comparisons. A choice closes it. */
export function DatesDialog({ view, range, today, at, onChange, onClose }: Props) {
  const [target, setTarget] = useState<'shown' | 'compared'>('shown');
  const { compare, match } = comparisonOf(view);
  const isComparable = view.from !== undefined || view.period !== 'all'; // all time has no earlier period
  const days = target === 'shown' ? shownDays(range, today) : comparedDays(view, range);
  const choose = (changes: ViewChanges) => {
    onClose();
    onChange(changes);
  };
  const chooseDays = (first: string, last: string) =>
    choose(
      target === 'shown'
        ? withRange(first, last)
        : { compare: 'custom', compareFrom: first, compareTo: last },
    );
  const chooseComparison = (chosen: Exclude<Comparison, 'custom'> | 'none') => {
    rememberComparison({ compare: chosen });
    choose({ compare: chosen });
  };
  const chooseMatch = (chosen: ComparisonMatch) => {
    rememberComparison({ match: chosen });
    choose({ match: chosen });
  };

  return (
    <Dialog title="Dates" size="dates" at={at} onClose={onClose}>
      <div class="dates-body">
        <ul class="choices" aria-label="Periods">
          {OFFERED_PERIODS.map((period) => (
            <Choice
              key={period}
              isChosen={!view.from && period === view.period}
              isFirst={target === 'shown'}
              onChoose={() => choose(withPeriod(period))}
            >
              {PERIOD_NAMES[period]} <kbd>{PERIOD_KEYS[period]}</kbd>
            </Choice>
          ))}
        </ul>
        <div class="dates-days">
          <h3>{target === 'shown' ? 'Custom range' : 'Custom comparison'}</h3>
          <Calendar key={target} first={days.first} last={days.last} today={today} onChoose={chooseDays} />
          <RangeForm key={`${target} form`} {...days} today={today} onChoose={chooseDays} />
          <p class="hint quiet-text">Dates are in {range.timezone}</p>
        </div>
        {isComparable && (
          <div class="dates-compared">
            <h3 id="dates-compared">Compare with</h3>
            <ul class="choices" aria-labelledby="dates-compared">
              {(['previous', 'year'] as const).map((comparison) => (
                <Choice
                  key={comparison}
                  isChosen={comparison === compare}
                  onChoose={() => chooseComparison(comparison)}
                >
                  {COMPARISON_NAMES[comparison]}
                </Choice>
              ))}
              <Choice isChosen={compare === 'custom'} onChoose={() => setTarget('compared')}>
                {COMPARISON_NAMES.custom}
              </Choice>
              <Choice isChosen={compare === 'none'} onChoose={() => chooseComparison('none')}>
                No comparison <kbd>X</kbd>
              </Choice>
            </ul>
            {compare !== 'none' && compare !== 'custom' && (
              <ul class="choices dates-match" aria-label="How days are matched">
                {COMPARISON_MATCHES.toReversed().map((name) => (
                  <Choice key={name} isChosen={name === match} onChoose={() => chooseMatch(name)}>
                    {MATCH_NAMES[name]}
                  </Choice>
                ))}
              </ul>
            )}
          </div>
        )}
      </div>
    </Dialog>
  );
}

type ChoiceProps = {
  isChosen: boolean;
  /** Whether the chosen one gets the initial focus. */
  isFirst?: boolean;
  onChoose: () => void;
  children: ComponentChildren;
};

function Choice({ isChosen, isFirst = false, onChoose, children }: ChoiceProps) {
  return (
    <li>
      <button
        type="button"
        class="choice"
        aria-current={isChosen ? 'true' : undefined}
        data-first={isFirst && isChosen ? '' : undefined}
        onClick={onChoose}
      >
        {children}
      </button>
    </li>
  );
}

function shownDays(range: Range, today: string) {
  const { first, last } = daysOf(range);
  return { first, last: last < today ? last : today };
}

/** The dates chosen before, or else the range of the same length before this one. */
function comparedDays({ compareFrom, compareTo }: ViewState, range: Range) {
  if (compareFrom && compareTo) return { first: compareFrom, last: compareTo };
  return daysOf({ ...range, ...shiftRange(range, -1, Date.now()) });
}
