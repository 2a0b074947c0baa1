import type { Goal } from '../../contract/goal.ts';
import type { Funnel } from '../../contract/metrics/funnel.ts';
import { ask, toPlace } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useGoals, withoutArchived } from '../api/use-goals.ts';
import { useProfile } from '../api/use-profile.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { Problem } from '../components/Problem.tsx';
import { FunnelChart } from '../funnels/FunnelChart.tsx';
import { FunnelMore } from '../funnels/FunnelMore.tsx';
import { FunnelSteps } from '../funnels/FunnelSteps.tsx';
import { type FunnelState, toFunnelQuestion } from '../funnels/funnel-state.ts';
import { SavedFunnels } from '../funnels/SavedFunnels.tsx';
import { nameOfStep } from '../funnels/step-names.ts';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { PageProblem } from '../report/PageProblem.tsx';
import { ListTools } from '../report/ReportTools.tsx';
import { useView } from '../state/use-view.ts';
import { toQuestion } from '../state/view-state.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** How far visitors get through some steps; the steps stand in the address. */
export function FunnelsPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const profile = useProfile(place);
  const { view, change } = useView(search);
  useTitle('Funnels');
  const list = useGoals(place);
  const goals = list.answer?.goals ?? [];
  const funnel = view.funnel ?? firstFunnel(withoutArchived(goals));
  const isComplete = funnel.steps.flat().every(({ kind, value }) => kind === 'any' || value !== '');
  const question = { ...toQuestion(view), ...toFunnelQuestion(funnel) };
  // They go with the answer, which may be that of other steps for a moment.
  const names = funnel.steps.map((step) => nameOfStep(step, goals));
  const { answer, fault, retry, isLoading, isOld } = useAnswer(
    list.answer && isComplete ? `funnel ${place.base} ${JSON.stringify(question)}` : undefined,
    async (signal) => ({ names, ...(await ask<Funnel>(place, '/stats/funnel', question, signal)) }),
  );
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <div class="page-head">
          <h1>Funnels</h1>
          <GoalTabs place={place} current="/goals/funnels" />
        </div>
        <p class="quiet-text about">
          How many visitors take these steps in order, and where the others leave. Save the steps under a name
          to find them again. <a href={toHref('/docs/definitions')}>Definitions</a>
        </p>
        <ListTools
          place={place}
          view={view}
          list="stats/funnel"
          question={toFunnelQuestion(funnel)}
          onChange={change}
        />
        {list.answer && (
          <SavedFunnels
            place={place}
            goals={goals}
            funnel={funnel}
            onOpen={(next) => change({ funnel: next })}
          />
        )}
        <FunnelSteps funnel={funnel} goals={goals} onChange={(next) => change({ funnel: next })} />
        {list.fault && <Problem fault={list.fault} onRetry={list.retry} />}
        <PageProblem fault={fault} onRetry={retry} view={view} onChange={change} />
        {!isComplete && <p class="quiet-text">Choose what each step is.</p>}
        {(answer || !fault) && (
          <section
            class={`card funnel-card ${isOld ? 'old' : ''}`}
            aria-label="Steps"
            aria-busy={isComplete && isLoading}
          >
            {answer && isComplete && <FunnelChart names={answer.names} answer={answer} />}
          </section>
        )}
        {answer && isComplete && (
          <FunnelMore
            place={place}
            view={view}
            names={names}
            question={question}
            range={answer.range}
            onChange={change}
          />
        )}
      </div>
    </WebsiteFrame>
  );
}

/** Something to begin with: from any page to the first goal. */
function firstFunnel([first]: Goal[]): FunnelState {
  const last = first
    ? ({ kind: 'goal', value: first.name } as const)
    : ({ kind: 'page', value: '/' } as const);
  return { steps: [[{ kind: 'any', value: '' }], [last]], by: 'visitor', order: 'loose', window: '' };
}
