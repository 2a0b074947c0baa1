import { useState } from 'preact/hooks';
import type { Journeys } from '../../metrics/reports/journeys.ts';
import type { Place } from '../api/place.ts';
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
  type JourneyStop,
  toJourneyQuestion,
} from '../journeys/journey-state.ts';
import { PinnedBar } from '../journeys/PinnedBar.tsx';
import { pinnedBranches, pinsTo } from '../journeys/pinned.ts';
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
          pin the path to it. <a href={toHref('/docs/definitions')}>Definitions</a>
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
        {answer && answer.visits > 0 && <FoundJourneys place={place} answer={answer} journey={journey} />}
      </ReportCard>
    </ReportPage>
  );
}

type FoundProps = { place: Place; answer: Journeys; journey: JourneyState };

/** Number of visits, and their journeys. */
function FoundJourneys({ place, answer, journey }: FoundProps) {
  const [isListed, setListed] = useState(false);
  const { branches } = answer;
  const pinned = pinnedBranches(branches, journey.pins);
  const last = pinned.at(-1);
  const branch = branches[last ?? -1];
  const withPins = (pins: readonly JourneyStop[]) =>
    addressOf<JourneyState>({}, JOURNEY_CODEC, { ...journey, pins });
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
      {branch && (
        <PinnedBar
          place={place}
          journey={{ ...journey, pins: journey.pins.slice(0, pinned.length) }}
          branch={branch}
        />
      )}
      <JourneyFlow
        journeys={answer}
        anchor={nameOfAnchor(journey)}
        pinned={pinned}
        addressOf={(index) =>
          withPins(index === last ? journey.pins.slice(0, pinned.length - 1) : pinsTo(branches, index))
        }
      />
      <details class="funnel-table" onToggle={({ currentTarget }) => setListed(currentTarget.open)}>
        <summary>As a list</summary>
        {isListed && <JourneyList {...answer} />}
      </details>
    </>
  );
}
