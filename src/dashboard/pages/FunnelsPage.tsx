import { useMemo } from 'preact/hooks';
import type { Goal } from '../../contract/goal.ts';
import type { Funnel } from '../../metrics/reports/funnel.ts';
import { useGoals } from '../api/use-goals.ts';
import { useReport } from '../api/use-report.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { FunnelChart } from '../funnels/FunnelChart.tsx';
import { FunnelMore } from '../funnels/FunnelMore.tsx';
import { FunnelSteps } from '../funnels/FunnelSteps.tsx';
import { FUNNEL_CODEC, type FunnelState, toFunnelQuestion } from '../funnels/funnel-state.ts';
import { SavedFunnels } from '../funnels/SavedFunnels.tsx';
import { nameOfStep } from '../funnels/step-names.ts';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { ReportCard, ReportPage } from '../report/ReportPage.tsx';
import { usePage } from '../report/use-page.ts';
import { withoutArchived } from '../state/goal-names.ts';
import { toQuestion } from '../state/view-state.ts';

/** Report of how far visitors get through some steps, which are in the address. */
export function FunnelsPage(props: PageProps) {
  const page = usePage(props, FUNNEL_CODEC);
  const { place, view, own, change } = page;
  const list = useGoals(place);
  const goals = list.answer?.goals ?? [];
  const funnel = own.funnel ?? firstFunnel(withoutArchived(goals));
  const isComplete = funnel.steps.flat().every(({ kind, value }) => kind === 'any' || value !== '');
  const question = { ...toQuestion(view), ...toFunnelQuestion(funnel) };
  const report = useReport<Funnel>(place, '/stats/funnel', list.answer && isComplete ? question : undefined);
  const { answer, fault } = report;
  const names = funnel.steps.map((step) => nameOfStep(step, goals));
  // The names belong to the answer, which may be that of other steps for a moment.
  const namesOfAnswer = useMemo(() => names, [answer]);
  const stepsOfAnswer = useMemo(() => funnel.steps, [answer]);
  const setFunnel = (next: FunnelState) => change({}, { ...own, funnel: next });
  return (
    <ReportPage
      page={page}
      title="Funnels"
      head={<GoalTabs place={place} current="/goals/funnels" />}
      about={
        <>
          How many visitors take these steps in order, and where the others leave. Save the steps under a name
          to find them again. <a href={toHref('/docs/definitions')}>Definitions</a>
        </>
      }
      list="stats/funnel"
      question={toFunnelQuestion(funnel)}
      form={
        <>
          {list.answer && <SavedFunnels place={place} goals={goals} funnel={funnel} onOpen={setFunnel} />}
          <FunnelSteps funnel={funnel} goals={goals} onChange={setFunnel} />
        </>
      }
      answers={[list, report]}
    >
      {!isComplete && <p class="quiet-text">Choose what each step is.</p>}
      {(answer || !fault) && (
        <ReportCard
          class="funnel-card"
          label="Steps"
          of={{ ...report, isLoading: isComplete && report.isLoading }}
        >
          {answer && isComplete && (
            <FunnelChart place={place} steps={stepsOfAnswer} names={namesOfAnswer} answer={answer} />
          )}
        </ReportCard>
      )}
      {answer && isComplete && (
        <FunnelMore
          place={place}
          view={view}
          names={names}
          question={question}
          group={own.group}
          range={answer.range}
          onChange={change}
          onGroup={(group) => change({}, { ...own, group })}
        />
      )}
    </ReportPage>
  );
}

/** Funnel shown until there are steps: from any page to the first goal. */
function firstFunnel([first]: Goal[]): FunnelState {
  const last = first
    ? ({ kind: 'goal', value: first.name } as const)
    : ({ kind: 'page', value: '/' } as const);
  return { steps: [[{ kind: 'any', value: '' }], [last]], by: 'visitor', order: 'loose', window: '' };
}
