import type { Changes } from '../../metrics/reports/changes.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { toHref } from '../browser/base-path.ts';
import { toComparisonQuestion } from '../state/comparison.ts';
import { nameOfDimension } from '../state/dimension-names.ts';
import { editFilters } from '../state/filter-edits.ts';
import { formatChange, formatCountOf, formatPercent } from '../state/format.ts';
import { type Outcome, toGoalQuestion } from '../state/outcome.ts';
import { addressOf, type ViewChanges } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';

type Props = {
  place: Place;
  view: ViewState;
  outcome: Outcome;
  /** Name of the goal whose rate may have changed. */
  goal: string | undefined;
  /** Asks only when true; its place is kept until then. */
  isReady: boolean;
  onChange: (changes: ViewChanges) => void;
};
type Finding = Changes['changes'][number];

/** Changes since the earlier range: at most three sentences, each of which filters by its row. */
export function ChangesStrip({ place, view, outcome, goal, isReady, onChange }: Props) {
  const question = {
    ...toQuestion(outcome.view),
    ...toComparisonQuestion(view),
    ...toGoalQuestion(outcome),
  };
  const { answer, fault, isOld } = useReport<Changes>(
    place,
    '/stats/changes',
    isReady ? question : undefined,
  );
  const changes = answer?.changes ?? [];
  return (
    <section class={`changes ${isOld ? 'old' : ''}`} aria-label="What changed" aria-busy={!answer && !fault}>
      {answer && changes.length === 0 && (
        <p class="quiet-text">Nothing changed more than it does by chance.</p>
      )}
      <ul>
        {changes.map((finding) => {
          const { kind, dimension, value } = finding;
          const filters = editFilters(view.filters, dimension, value ?? '', 'only');
          return (
            <li key={kind}>
              <a
                class="change-card"
                href={toHref(addressOf({ filters }))}
                title={`${nameOfDimension(dimension)}. ${describeContribution(finding)}`}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey) return;
                  event.preventDefault();
                  onChange({ filters });
                }}
              >
                <span class={`change change-${directionOf(finding)}`} aria-hidden="true" />
                <span>
                  <span class="unseen">{nameOfDimension(dimension)} </span>
                  <strong>
                    <bdi>{nameOfValue(dimension, value)}</bdi>
                  </strong>
                  : {describe(finding, goal)}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function directionOf({ kind, now, before }: Finding): 'up' | 'down' | 'new' {
  if (kind === 'new') return 'new';
  return now >= before ? 'up' : 'down';
}

function describe({ kind, now, before, change }: Finding, goal = 'Conversion'): string {
  if (kind === 'new') return `new, ${formatCountOf(now, 'visitors')}`;
  if (kind === 'gone') return `gone, had ${formatCountOf(before, 'visitors')}`;
  const percent = formatChange(change).text;
  if (kind === 'goalRate') return `${goal} rate ${formatPercent(before)} → ${formatPercent(now)}`;
  const more = now >= before ? 'more' : 'fewer';
  const [count, unit] = formatCountOf(Math.abs(now - before), 'visitors').split(' ');
  return `${count} ${more} ${unit} (${percent})`;
}

function describeContribution({ contribution, kind }: Finding): string {
  if (contribution === null || contribution <= 0) return 'Filter by this';
  const part = formatPercent(Math.min(contribution, 1));
  return `${part} of the change of ${kind === 'goalRate' ? 'the rate' : 'all visitors'}. Filter by this`;
}
