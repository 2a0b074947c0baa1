import type { Journeys } from '../../metrics/reports/journeys.ts';
import { useGoals } from '../api/use-goals.ts';
import { useReport } from '../api/use-report.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { JourneyFlow } from '../journeys/JourneyFlow.tsx';
import { JourneyForm } from '../journeys/JourneyForm.tsx';
import { JourneyList } from '../journeys/JourneyList.tsx';
import { nameOfAnchor } from '../journeys/journey-names.ts';
import {
  conditionsOf,
  JOURNEY_CODEC,
  type JourneyState,
  toJourneyQuestion,
} from '../journeys/journey-state.ts';
import { ReportCard, ReportPage } from '../report/ReportPage.tsx';
import { usePage } from '../report/use-page.ts';
import { formatCountLong, formatCountOf } from '../state/format.ts';
import { withoutArchived } from '../state/goal-names.ts';
import { addressOf } from '../state/use-view.ts';
import { toQuestion } from '../state/view-state.ts';

/** Report of how visits move: a drawing, and the same as a list. Their anchor is in the address. */
export function JourneysPage(props: PageProps) {
  const page = usePage(props, JOURNEY_CODEC);
  const { place, view, own: journey, change } = page;
  const goals = useGoals(place).answer?.goals ?? [];
  const { filters = '[]', ...range } = toQuestion(view);
  const conditions = [...JSON.parse(filters), ...conditionsOf(journey)];
  const question = {
    ...toJourneyQuestion(journey),
    filters: conditions.length > 0 ? JSON.stringify(conditions) : undefined,
  };
  const isComplete = journey.kind === 'visit' || journey.value !== '';
  const report = useReport<Journeys>(
    place,
    '/stats/journeys',
    isComplete ? { ...range, ...question } : undefined,
  );
  const { answer } = report;
  return (
    <ReportPage
      page={page}
      title="Journeys"
      about={
        <>
          Where visits go from a page or event, or how they get there, in up to five steps. Select a box to
          follow it. <a href={toHref('/docs/definitions')}>Definitions</a>
        </>
      }
      list="stats/journeys"
      question={question}
      form={
        <JourneyForm journey={journey} goals={withoutArchived(goals)} onChange={(next) => change({}, next)} />
      }
      answers={[report]}
    >
      {!isComplete && (
        <p class="quiet-text">Choose where journeys {journey.direction === 'from' ? 'begin' : 'end'}.</p>
      )}
      <ReportCard class="journey-card" label="Journeys" of={report}>
        {answer?.visits === 0 && <p class="panel-empty">No visits match in this period.</p>}
        {answer && answer.visits > 0 && <FoundJourneys answer={answer} journey={journey} />}
      </ReportCard>
    </ReportPage>
  );
}

type FoundProps = { answer: Journeys; journey: JourneyState };

/** Number of visits, and their journeys. */
function FoundJourneys({ answer, journey }: FoundProps) {
  return (
    <>
      <p class="journey-total">
        <strong class="number">{formatCountOf(answer.visits, 'visits')}</strong>
        {answer.ended > 0 && (
          <span class="quiet-text">
            , {formatCountLong(answer.ended)} of them with no other step{' '}
            {answer.direction === 'from' ? 'after it' : 'before it'}
          </span>
        )}
      </p>
      <JourneyFlow
        journeys={answer}
        anchor={nameOfAnchor(journey)}
        addressOf={({ stop, value }) =>
          addressOf<JourneyState>({}, JOURNEY_CODEC, {
            ...journey,
            kind: stop === 'event' ? 'event' : 'page',
            value: value ?? '',
          })
        }
      />
      <details class="funnel-table">
        <summary>As a list</summary>
        <JourneyList {...answer} />
      </details>
    </>
  );
}
