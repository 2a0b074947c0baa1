import type { GoalStats } from '../../contract/metrics/goals.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { Link } from '../components/Link.tsx';
import { BarList } from '../panels/BarList.tsx';
import { RevenueCards } from '../revenue/RevenueCards.tsx';
import { toComparisonQuestion } from '../state/comparison.ts';
import { editFilters } from '../state/filter-edits.ts';
import { formatChange, formatPercent } from '../state/format.ts';
import { addressIn } from '../state/kept-view.ts';
import { useHasRole } from '../state/own-access.ts';
import { addressOf, type ViewChanges } from '../state/use-view.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';

type Props = { place: Place; view: ViewState; onChange: (changes: ViewChanges) => void };

const ROWS = 9;

/** Conversion rates and revenue on the dashboard. The public sees the panel only when a goal is public. */
export function GoalsPanel({ place, view, onChange }: Props) {
  const { answer, isOld } = useReport<GoalStats>(place, '/stats/goals', {
    ...toQuestion(view),
    ...toComparisonQuestion(view),
  });
  const mayEdit = useHasRole('editor');
  if (!answer || (place.isPublic && answer.goals.length === 0)) return null;
  const { goals } = answer;
  const most = Math.max(...goals.map(({ converters }) => converters), 1);
  return (
    <section class={`card panel goals-panel ${isOld ? 'old' : ''}`} aria-labelledby="goals-title">
      <header class="panel-head">
        <h2 id="goals-title">Goals</h2>
        {!place.isPublic && (goals.length > 0 || mayEdit) && (
          <Link to={addressIn(place, '/goals')}>{goals.length > 0 ? 'All goals' : 'Add a goal'}</Link>
        )}
      </header>
      <RevenueCards revenue={answer.revenue ?? []} earlier={answer.comparison?.revenue} />
      <div class="panel-list">
        {goals.length === 0 && (
          <p class="panel-empty">
            What should visitors do: sign up, buy, read the docs? A goal counts who did, also before you added
            it.
          </p>
        )}
        <BarList
          heads={['Goal', 'Rate']}
          rows={goals.slice(0, ROWS).map(({ name, converters, conversionRate, comparison }) => ({
            key: name,
            label: name,
            part: converters / most,
            note: { count: converters, unit: 'visitor' },
            change:
              comparison &&
              formatChange(
                comparison.change.conversionRate,
                conversionRate,
                Math.max(converters, comparison.converters),
              ),
            value: formatPercent(conversionRate),
            href: addressOf({ filters: editFilters(view.filters, 'goal', name, 'only') }),
            isChosen: view.filters.some(
              ({ dimension, values }) => dimension === 'goal' && values.includes(name),
            ),
          }))}
          onPick={(name, edit) => onChange({ filters: editFilters(view.filters, 'goal', name, edit) })}
        />
      </div>
    </section>
  );
}
