import { useState } from 'preact/hooks';
import type { Goal } from '../../contract/goal.ts';
import type { GoalStats } from '../../contract/metrics/goals.ts';
import { missingReadyGoals } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import { ask, toPlace } from '../api/place.ts';
import { askAgain, useAnswer } from '../api/use-answer.ts';
import { useGoals } from '../api/use-goals.ts';
import { useProfile } from '../api/use-profile.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { GoalDialog } from '../goals/GoalDialog.tsx';
import { GoalTable } from '../goals/GoalTable.tsx';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { PageProblem } from '../report/PageProblem.tsx';
import { ListTools } from '../report/ReportTools.tsx';
import { useView } from '../state/use-view.ts';
import { toQuestion } from '../state/view-state.ts';
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
  const addReady = () => send('POST', '/ready-made');

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
        <ListTools place={place} view={view} list="stats/goals" onChange={change} />
        <PageProblem
          fault={fault}
          onRetry={list.fault ? list.retry : stats.retry}
          view={view}
          onChange={change}
        />
        {list.answer && shown.length === 0 && <NoGoals onAdd={addReady} />}
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
        {shown.length > 0 && <ReadyGoals goals={goals} onAdd={addReady} />}
        {archived > 0 && (
          <p class="page-foot">
            <button type="button" class="plain" onClick={() => setWithArchived(!withArchived)}>
              {withArchived ? 'Hide archived goals' : `Show archived goals (${archived})`}
            </button>
          </p>
        )}
        <OpenedDialog opened={opened} onOpen={setOpened} onSend={send} />
      </div>
    </WebsiteFrame>
  );
}

function NoGoals({ onAdd }: { onAdd: () => Promise<void> }) {
  return (
    <section class="card goals-empty">
      <p>
        <strong>No goals yet.</strong> What should a visit lead to: a purchase, a signup, a download, a page
        that is read? Many websites start with outbound links, downloads, forms and pages not found.
      </p>
      <ActionButton onAct={onAdd}>Add these four</ActionButton>
    </section>
  );
}

/** Those that most websites have, and this one has not. */
function ReadyGoals({ goals, onAdd }: { goals: Goal[]; onAdd: () => Promise<void> }) {
  const missing = missingReadyGoals(goals);
  if (missing.length === 0) return null;
  return (
    <p class="page-foot">
      <ActionButton onAct={onAdd}>Add what most websites count</ActionButton>{' '}
      <span class="quiet-text">{missing.map(({ name }) => name).join(', ')}</span>
    </p>
  );
}

type OpenedProps = {
  opened: Opened | undefined;
  onOpen: (opened: Opened | undefined) => void;
  /** Changes something below the goals of the API, and closes the dialog. @throws ApiError */
  onSend: (method: string, to: string, body?: object) => Promise<void>;
};

/** The dialog that is open: a goal to write, or one to delete. */
function OpenedDialog({ opened, onOpen, onSend }: OpenedProps) {
  const close = () => onOpen(undefined);
  return (
    <>
      {opened?.kind === 'edit' && (
        <GoalDialog
          goal={opened.goal}
          onClose={close}
          onSave={(body) =>
            opened.goal ? onSend('PATCH', `/${opened.goal.id}`, body) : onSend('POST', '', body)
          }
          onDelete={(goal) => onOpen({ kind: 'delete', goal })}
        />
      )}
      {opened?.kind === 'delete' && (
        <DangerDialog
          title={`Delete “${opened.goal.name}”?`}
          action="Delete goal"
          onAct={async () => {
            await onSend('DELETE', `/${opened.goal.id}`);
            announce('Goal deleted.');
          }}
          onClose={close}
        >
          No events are lost: added again, it gives the same numbers. But saved funnels and segments that use
          it stop working. Archive it instead to keep them.
        </DangerDialog>
      )}
    </>
  );
}
