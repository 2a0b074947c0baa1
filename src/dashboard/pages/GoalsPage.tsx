import { useState } from 'preact/hooks';
import type { Goal } from '../../contract/goal.ts';
import type { GoalStats } from '../../contract/metrics-goals.ts';
import { call } from '../api/client.ts';
import { askAgain, useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Link } from '../components/Link.tsx';
import { formatCountLong, formatPercent } from '../format.ts';
import { Amounts } from '../goals/Amounts.tsx';
import { GoalDialog } from '../goals/GoalDialog.tsx';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { tellGoal } from '../goals/goal-words.ts';
import { useGoals } from '../goals/use-goals.ts';
import type { PageProps } from '../page-props.ts';
import { ListTools } from '../people/ListTools.tsx';
import { toHref } from '../place.ts';
import { useTitle } from '../use-title.ts';
import { toQuestion, toSearch, type ViewState } from '../view-state.ts';
import { editFilters } from '../website/filter-edits.ts';
import { PageProblem } from '../website/PageProblem.tsx';
import { ask, toPlace } from '../website/place.ts';
import { useProfile } from '../website/profile.ts';
import { useView } from '../website/use-view.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

type Opened = { kind: 'edit'; goal?: Goal } | { kind: 'delete'; goal: Goal };

/** What visitors should do, how many did, and the means to say it. */
export function GoalsPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const path = `/websites/${encodeURIComponent(place.websiteId)}/goals`;
  const profile = useProfile(place);
  const { view, change } = useView(search);
  const [opened, setOpened] = useState<Opened>();
  const [withArchived, setWithArchived] = useState(false);
  useTitle('Goals');
  const question = toQuestion(view);
  const list = useGoals(place);
  const stats = useAnswer(`goals ${place.base} ${JSON.stringify(question)}`, (signal) =>
    ask<GoalStats>(place, '/stats/goals', question, signal),
  );
  const fault = list.fault ?? stats.fault;
  const goals = list.answer?.goals ?? [];
  const shown = goals.filter(({ isArchived }) => withArchived || !isArchived);
  const archived = goals.filter(({ isArchived }) => isArchived).length;

  async function send(method: string, to: string, body?: object): Promise<void> {
    await call(method, path + to, { body });
    setOpened(undefined);
    askAgain();
  }

  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <div class="page-head">
          <h1>Goals</h1>
          <GoalTabs place={place} current="/goals" />
          <div class="page-actions">
            <button type="button" class="primary" onClick={() => setOpened({ kind: 'edit' })}>
              Add a goal
            </button>
          </div>
        </div>
        <p class="quiet-text about">
          What you want visitors to do. A goal counts everything recorded so far, including the time before
          you added it. <a href={toHref('/docs/definitions')}>Definitions</a>
        </p>
        <ListTools place={place} view={view} list="stats/goals" file="goals" onChange={change} />
        <PageProblem
          fault={fault}
          onRetry={list.fault ? list.retry : stats.retry}
          view={view}
          onChange={change}
        />
        {list.answer && shown.length === 0 && (
          <section class="card goals-empty">
            <p>
              <strong>No goals yet.</strong> What should a visit lead to: a purchase, a signup, a download, a
              page that is read? Many websites start with outbound links, downloads, forms and pages not
              found.
            </p>
            <ActionButton onAct={() => send('POST', '/ready-made')}>Add these four</ActionButton>
          </section>
        )}
        {shown.length > 0 && (
          <section
            class={`card goals-card ${stats.isOld ? 'old' : ''}`}
            aria-busy={list.isLoading || stats.isLoading}
          >
            <GoalTable
              goals={shown}
              stats={stats.answer}
              view={view}
              base={place.base}
              onEdit={(goal) => setOpened({ kind: 'edit', goal })}
            />
          </section>
        )}
        {archived > 0 && (
          <p class="page-foot">
            <button type="button" class="plain" onClick={() => setWithArchived(!withArchived)}>
              {withArchived ? 'Hide archived goals' : `Show archived goals (${archived})`}
            </button>
          </p>
        )}
        {opened?.kind === 'edit' && (
          <GoalDialog
            goal={opened.goal}
            onClose={() => setOpened(undefined)}
            onSave={(body) =>
              opened.goal ? send('PATCH', `/${opened.goal.id}`, body) : send('POST', '', body)
            }
            onDelete={(goal) => setOpened({ kind: 'delete', goal })}
          />
        )}
        {opened?.kind === 'delete' && (
          <DangerDialog
            title={`Delete “${opened.goal.name}”?`}
            action="Delete goal"
            onAct={async () => {
              await send('DELETE', `/${opened.goal.id}`);
              announce('Goal deleted.');
            }}
            onClose={() => setOpened(undefined)}
          >
            No events are lost. The same goal gives the same numbers again.
          </DangerDialog>
        )}
      </div>
    </WebsiteFrame>
  );
}

/** What the conversions have brought, else what they are worth by the goal's own value. */
function Worth({ revenue = [], value }: GoalStats['goals'][number]) {
  if (revenue.length > 0)
    return <Amounts list={revenue.map(({ currency, total }) => ({ currency, amount: total }))} />;
  return value ? <Amounts list={[value]} /> : '–';
}

type TableProps = {
  goals: Goal[];
  stats: GoalStats | undefined;
  view: ViewState;
  base: string;
  onEdit: (goal: Goal) => void;
};

function GoalTable({ goals, stats, view, base, onEdit }: TableProps) {
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
              Worth
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
                      {tellGoal(goal)}
                    </bdi>
                  </th>
                  <td class="number">{row ? formatCountLong(row.converters) : '–'}</td>
                  <td class="number">{row ? formatPercent(row.conversionRate) : '–'}</td>
                  <td class="number seldom">{row ? formatCountLong(row.conversions) : '–'}</td>
                  <td class="number seldom goal-money">{row ? <Worth {...row} /> : '–'}</td>
                  <td>
                    <button type="button" class="quiet small" onClick={() => onEdit(goal)}>
                      Edit<span class="unseen"> {goal.name}</span>
                    </button>
                  </td>
                </tr>
              );
            })}
        </tbody>
      </table>
    </div>
  );
}
