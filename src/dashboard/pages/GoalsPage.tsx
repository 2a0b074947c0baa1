import { useState } from 'preact/hooks';
import type { Goal } from '../../contract/goal.ts';
import type { GoalStats } from '../../contract/metrics/goals.ts';
import { missingReadyGoals } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import { askAgain } from '../api/use-answer.ts';
import { useGoals } from '../api/use-goals.ts';
import { useReport } from '../api/use-report.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { GoalDialog } from '../goals/GoalDialog.tsx';
import { GoalTable } from '../goals/GoalTable.tsx';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { ReportCard, ReportPage } from '../report/ReportPage.tsx';
import { usePage } from '../report/use-page.ts';
import { hasRole } from '../state/own-access.ts';
import { toQuestion } from '../state/view-state.ts';

type Opened = { kind: 'edit'; goal?: Goal } | { kind: 'delete'; goal: Goal };

/** Goals, their conversions, and a dialog to edit them. */
export function GoalsPage(props: PageProps) {
  const page = usePage(props);
  const { place, view } = page;
  const mayEdit = hasRole(page.profile.answer, 'editor');
  const path = `/websites/${encodeURIComponent(place.websiteId)}/goals`;
  const [opened, setOpened] = useState<Opened>();
  const [withArchived, setWithArchived] = useState(false);
  const list = useGoals(place);
  const report = useReport<GoalStats>(place, '/stats/goals', toQuestion(view));
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
    <ReportPage
      page={page}
      title="Goals"
      head={
        <>
          <GoalTabs place={place} current="/goals" />
          {mayEdit && (
            <div class="page-actions">
              <button type="button" class="primary" onClick={() => setOpened({ kind: 'edit' })}>
                Add a goal
              </button>
            </div>
          )}
        </>
      }
      about={
        <>
          What you want visitors to do. A goal counts everything recorded so far, including the time before
          you added it. <a href={toHref('/docs/definitions')}>Definitions</a>
        </>
      }
      list="stats/goals"
      answers={[list, report]}
    >
      {list.answer && shown.length === 0 && <NoGoals onAdd={mayEdit ? addReady : undefined} />}
      {shown.length > 0 && (
        <ReportCard class="goals-card" of={{ ...report, isLoading: list.isLoading || report.isLoading }}>
          <GoalTable
            goals={shown}
            stats={report.answer}
            view={view}
            base={place.base}
            onEdit={mayEdit ? (goal) => setOpened({ kind: 'edit', goal }) : undefined}
          />
        </ReportCard>
      )}
      {mayEdit && shown.length > 0 && <ReadyGoals goals={goals} onAdd={addReady} />}
      {archived > 0 && (
        <p class="page-foot">
          <button type="button" class="plain" onClick={() => setWithArchived(!withArchived)}>
            {withArchived ? 'Hide archived goals' : `Show archived goals (${archived})`}
          </button>
        </p>
      )}
      <OpenedDialog opened={opened} onOpen={setOpened} onSend={send} />
    </ReportPage>
  );
}

function NoGoals({ onAdd }: { onAdd: (() => Promise<void>) | undefined }) {
  return (
    <section class="card goals-empty">
      <p>
        <strong>No goals yet.</strong> What should a visit lead to: a purchase, a signup, a download, a page
        that is read? Many websites start with outbound links, downloads, forms and pages not found.
      </p>
      {onAdd && <ActionButton onAct={onAdd}>Add these four</ActionButton>}
    </section>
  );
}

/** Ready-made goals that this website lacks. */
function ReadyGoals({ goals, onAdd }: { goals: Goal[]; onAdd: () => Promise<void> }) {
  const missing = missingReadyGoals(goals);
  if (missing.length === 0) return null;
  return (
    <p class="page-foot">
      <ActionButton onAct={onAdd}>Add suggested goals</ActionButton>{' '}
      <span class="quiet-text">{missing.map(({ name }) => name).join(', ')}</span>
    </p>
  );
}

type OpenedProps = {
  opened: Opened | undefined;
  onOpen: (opened: Opened | undefined) => void;
  /** Sends a change to the API's goals, and closes the dialog. @throws ApiError */
  onSend: (method: string, to: string, body?: object) => Promise<void>;
};

/** The open dialog: a goal to edit, or one to delete. */
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
