import type { Goal } from '../../contract/goal.ts';
import type { GoalStats } from '../../contract/metrics/goals.ts';
import { Link } from '../components/Link.tsx';
import { Amounts } from '../revenue/Amounts.tsx';
import { editFilters } from '../state/filter-edits.ts';
import { formatCountLong, formatCountOf, formatPercent } from '../state/format.ts';
import { toSearch, type ViewState } from '../state/view-state.ts';
import { describeGoal } from './describe-goal.ts';

type Props = {
  goals: Goal[];
  stats: GoalStats | undefined;
  view: ViewState;
  /** Address of the website's dashboard. */
  base: string;
  /** Absent: the user may not. */
  onEdit?: ((goal: Goal) => void) | undefined;
};

/** Goals with their figures, most visitors first. */
export function GoalTable({ goals, stats, view, base, onEdit }: Props) {
  const figures = new Map(stats?.goals.map((goal) => [goal.id, goal]));
  const rank = (goal: Goal) => figures.get(goal.id)?.converters ?? -1;
  return (
    <div class="table-scroll">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Goal</th>
            <th scope="col" class="number">
              Visitors
            </th>
            <th scope="col" class="number">
              Rate
            </th>
            <th scope="col" class="number seldom">
              Conversions
            </th>
            <th scope="col" class="number seldom">
              Revenue · value
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {goals
            .toSorted((a, b) => rank(b) - rank(a))
            .map((goal) => {
              const row = figures.get(goal.id);
              return (
                <tr key={goal.id}>
                  <th scope="row">
                    <Link
                      to={
                        base +
                        toSearch({ ...view, filters: editFilters(view.filters, 'goal', goal.name, 'only') })
                      }
                    >
                      <bdi>{goal.name}</bdi>
                    </Link>
                    <bdi class="goal-about">
                      {goal.isArchived && 'Archived · '}
                      {describeGoal(goal)}
                    </bdi>
                    {row && (
                      <span class="goal-brief">
                        {formatCountOf(row.conversions, 'conversions')}
                        {isWorth(row) && (
                          <>
                            {' · '}
                            <Worth {...row} />
                          </>
                        )}
                      </span>
                    )}
                  </th>
                  <td class="number">{row ? formatCountLong(row.converters) : '–'}</td>
                  <td class="number">{row ? formatPercent(row.conversionRate) : '–'}</td>
                  <td class="number seldom">{row ? formatCountLong(row.conversions) : '–'}</td>
                  <td class="number seldom goal-money">{row ? <Worth {...row} /> : '–'}</td>
                  <td>
                    {onEdit && (
                      <button type="button" class="quiet small" onClick={() => onEdit(goal)}>
                        Edit<span class="unseen"> {goal.name}</span>
                      </button>
                    )}
                  </td>
                </tr>
              );
            })}
        </tbody>
      </table>
    </div>
  );
}

const isWorth = ({ revenue = [], value }: GoalStats['goals'][number]) => revenue.length > 0 || value !== null;

/** Revenue of the conversions, or else their worth by the goal's value. */
function Worth({ revenue = [], value }: GoalStats['goals'][number]) {
  if (revenue.length > 0)
    return <Amounts list={revenue.map(({ currency, total }) => ({ currency, amount: total }))} />;
  return value ? <Amounts list={[value]} /> : '–';
}
