import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import type { WebsiteProfile } from '../../contract/website-profile.ts';
import type { Place } from '../api/place.ts';
import type { AnswerState } from '../api/use-answer.ts';
import { ImportedNote } from '../imported/lazy.ts';
import type { Imported } from '../imported/use-imported.ts';
import { isComparing } from '../state/comparison.ts';
import type { Outcome } from '../state/outcome.ts';
import { isShown } from '../state/own-access.ts';
import type { ViewChanges } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { ChangesStrip } from './ChangesStrip.tsx';
import { ChartCard } from './ChartCard.tsx';
import { cardsOf, MetricCards } from './MetricCards.tsx';
import { OutcomeCards } from './OutcomeCards.tsx';

type Props = {
  place: Place;
  /** Name of the website. */
  name: string;
  view: ViewState;
  outcome: Outcome;
  profile: WebsiteProfile | undefined;
  figures: Pick<AnswerState<Dashboard>, 'answer' | 'isLoading' | 'isOld'>;
  imported: Imported | undefined;
  onChange: (changes: ViewChanges) => void;
};

/** Totals, and the chosen metric over time. */
export function Overview({ place, name, view, outcome, profile, figures, imported, onChange }: Props) {
  const { answer, isLoading, isOld } = figures;
  const { isFilter } = outcome;
  const primary = profile?.primaryGoal ?? null;
  const goalName = isFilter ? outcome.goal : primary?.name;
  const goal = isFilter ? undefined : primary?.name;
  const cards = cardsOf({ goal, isFilter });
  const isDrawn = cards.includes(view.metric) || (view.metric === 'events' && !isFilter);
  const shown = isDrawn ? view : { ...view, metric: cards[0] ?? 'visitors' };
  return (
    <>
      {isComparing(view) && !(answer && !answer.comparison) && (
        <ChangesStrip
          isReady={answer !== undefined}
          place={place}
          view={view}
          outcome={outcome}
          goal={goalName}
          onChange={onChange}
        />
      )}
      <section class={`card overview ${isOld ? 'old' : ''}`} aria-label="Overview" aria-busy={isLoading}>
        <MetricCards
          answer={answer}
          metric={shown.metric}
          goal={goal}
          ofGoal={
            isFilter
              ? !place.isPublic && isShown(profile, 'revenue') && <OutcomeCards place={place} view={view} />
              : undefined
          }
          onChoose={(metric) => onChange({ metric })}
        />
        <ChartCard
          answer={answer}
          view={shown}
          place={place}
          name={name}
          primary={primary}
          mayChoose={!place.isPublic && profile !== undefined && !/viewer|public/.test(profile.role)}
          firstEventAt={profile?.firstEventAt ?? undefined}
          imported={imported}
          onChange={onChange}
        />
        {imported?.stats && <ImportedNote stats={imported.stats} />}
      </section>
    </>
  );
}
