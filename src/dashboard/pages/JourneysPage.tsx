import type { Journeys } from '../../contract/metrics/journeys.ts';
import { ask, type Place, toPlace } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useGoals, withoutArchived } from '../api/use-goals.ts';
import { useProfile } from '../api/use-profile.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { JourneyFlow } from '../journeys/JourneyFlow.tsx';
import { JourneyForm } from '../journeys/JourneyForm.tsx';
import { JourneyList } from '../journeys/JourneyList.tsx';
import { nameOfAnchor } from '../journeys/journey-names.ts';
import {
  conditionsOf,
  FIRST_JOURNEY,
  type JourneyState,
  toJourneyQuestion,
} from '../journeys/journey-state.ts';
import { PageProblem } from '../report/PageProblem.tsx';
import { ListTools } from '../report/ReportTools.tsx';
import { formatCountLong, tellCount } from '../state/format.ts';
import { useView } from '../state/use-view.ts';
import { toQuestion, toSearch, type ViewState } from '../state/view-state.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** How visits move: a drawing, and the same as a list. What they begin or end with stands in the address. */
export function JourneysPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const profile = useProfile(place);
  const { view, change } = useView(search);
  useTitle('Journeys');
  const list = useGoals(place);
  const journey = view.journey ?? FIRST_JOURNEY;
  const { filters = '[]', ...range } = toQuestion(view);
  const conditions = [...JSON.parse(filters), ...conditionsOf(journey)];
  const question = {
    ...toJourneyQuestion(journey),
    filters: conditions.length > 0 ? JSON.stringify(conditions) : undefined,
  };
  const isComplete = journey.kind === 'visit' || journey.value !== '';
  const asked = { ...range, ...question };
  const { answer, fault, retry, isLoading, isOld } = useAnswer(
    isComplete ? `journeys ${place.base} ${JSON.stringify(asked)}` : undefined,
    (signal) => ask<Journeys>(place, '/stats/journeys', asked, signal),
  );
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <div class="page-head">
          <h1>Journeys</h1>
        </div>
        <p class="quiet-text about">
          Where visits go from a page or event, or how they get there, in up to five steps. Select a box to
          follow it. <a href={toHref('/docs/definitions')}>Definitions</a>
        </p>
        <ListTools place={place} view={view} list="stats/journeys" question={question} onChange={change} />
        <JourneyForm
          journey={journey}
          goals={withoutArchived(list.answer?.goals ?? [])}
          onChange={(next) => change({ journey: next })}
        />
        <PageProblem fault={fault} onRetry={retry} view={view} onChange={change} />
        {!isComplete && (
          <p class="quiet-text">Choose where journeys {journey.direction === 'from' ? 'begin' : 'end'}.</p>
        )}
        <section
          class={`card journey-card ${isOld ? 'old' : ''}`}
          aria-label="Journeys"
          aria-busy={isLoading}
        >
          {answer?.visits === 0 && <p class="panel-empty">No visits match in this period.</p>}
          {answer && answer.visits > 0 && (
            <FoundJourneys answer={answer} place={place} view={view} journey={journey} />
          )}
        </section>
      </div>
    </WebsiteFrame>
  );
}

type FoundProps = { answer: Journeys; place: Place; view: ViewState; journey: JourneyState };

/** How many visits, and how they move. */
function FoundJourneys({ answer, place, view, journey }: FoundProps) {
  return (
    <>
      <p class="journey-total">
        <strong class="number">{tellCount(answer.visits, 'visits')}</strong>
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
          `${place.base}/journeys${toSearch({
            ...view,
            journey: { ...journey, kind: stop === 'event' ? 'event' : 'page', value: value ?? '' },
          })}`
        }
      />
      <details class="funnel-table">
        <summary>As a list</summary>
        <JourneyList {...answer} />
      </details>
    </>
  );
}
