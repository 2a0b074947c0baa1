import { useState } from 'preact/hooks';
import { COMPARISON_MATCHES, COMPARISONS, type Comparison } from '../../contract/vocabulary.ts';
import { comparisonOf, rememberComparison } from '../comparison.ts';
import { Menu } from '../components/Menu.tsx';
import type { ViewState } from '../view-state.ts';
import { RangeDialog } from './RangeDialog.tsx';
import { COMPARISON_NAMES, MATCH_NAMES, shiftRange } from './ranges.ts';
import type { ViewChanges } from './use-view.ts';

type Props = {
  view: ViewState;
  /** What is shown; undefined while it is on its way. */
  range: { from: string; to: string; timezone: string } | undefined;
  today: string;
  onChange: (changes: ViewChanges) => void;
};

const SHORT_NAMES: Record<Comparison | 'none', string> = {
  previous: 'vs. previous',
  year: 'vs. last year',
  custom: 'vs. custom range',
  none: 'Compare',
};

/** What the shown days are compared with. A choice stands in the address, and holds for addresses that make none. */
export function ComparisonPicker({ view, range, today, onChange }: Props) {
  const [isChoosing, setChoosing] = useState(false);
  const { compare, match } = comparisonOf(view);
  const choose = (chosen: Exclude<Comparison, 'custom'> | 'none') => {
    rememberComparison({ compare: chosen });
    onChange({ compare: chosen });
  };
  return (
    <>
      <Menu align="end" label={SHORT_NAMES[compare]} name={`Comparison: ${SHORT_NAMES[compare]}`}>
        {COMPARISONS.map((comparison) => (
          <button
            key={comparison}
            type="button"
            aria-current={comparison === compare ? 'true' : undefined}
            onClick={() => (comparison === 'custom' ? setChoosing(true) : choose(comparison))}
          >
            {COMPARISON_NAMES[comparison]}
          </button>
        ))}
        <button
          type="button"
          aria-current={compare === 'none' ? 'true' : undefined}
          onClick={() => choose('none')}
        >
          No comparison <kbd>X</kbd>
        </button>
        {compare !== 'none' && compare !== 'custom' && (
          <>
            <hr />
            {COMPARISON_MATCHES.toReversed().map((name) => (
              <button
                key={name}
                type="button"
                aria-current={name === match ? 'true' : undefined}
                onClick={() => {
                  rememberComparison({ match: name });
                  onChange({ match: name });
                }}
              >
                {MATCH_NAMES[name]}
              </button>
            ))}
          </>
        )}
      </Menu>
      {isChoosing && range && (
        <RangeDialog
          title="Compare with"
          range={earlier(view, range)}
          today={today}
          onClose={() => setChoosing(false)}
          onChoose={(compareFrom, compareTo) => {
            setChoosing(false);
            onChange({ compare: 'custom', compareFrom, compareTo });
          }}
        />
      )}
    </>
  );
}

/** What the dialog begins with: the dates chosen before, else the range of the same length before this one. */
function earlier({ compareFrom, compareTo }: ViewState, range: NonNullable<Props['range']>) {
  const { timezone } = range;
  if (compareFrom && compareTo) return { from: compareFrom, to: compareTo, timezone };
  const before = shiftRange(range, -1, Date.now());
  return before ? { ...before, timezone } : range;
}
