import type { Goal } from '../../contract/goal.ts';
import type { Attribution } from '../../contract/metrics/attribution.ts';
import {
  ATTRIBUTION_DAYS_DEFAULT,
  ATTRIBUTION_DIMENSIONS,
  type AttributionDimension,
} from '../../vocabulary/contract.ts';
import { ask, toPlace } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useGoals, withoutArchived } from '../api/use-goals.ts';
import { useProfile } from '../api/use-profile.ts';
import { AttributionTable } from '../attribution/AttributionTable.tsx';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { NamedChoice } from '../components/Choice.tsx';
import { Problem } from '../components/Problem.tsx';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { PageProblem } from '../report/PageProblem.tsx';
import { ListTools } from '../report/ReportTools.tsx';
import { useView } from '../state/use-view.ts';
import { toQuestion } from '../state/view-state.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** The tabs of the view that name the goal, the dimension, and how many days are looked back. */
const GOAL = 'goal';
const BY = 'by';
const LOOKBACK = 'lookback';
const LOOKBACK_DAYS = [1, 7, ATTRIBUTION_DAYS_DEFAULT, 90, 365];

const LOOKBACKS = Object.fromEntries(
  LOOKBACK_DAYS.map((days) => [String(days), days === 1 ? '1 day' : `${days} days`]),
);
const BY_NAMES: Record<AttributionDimension, string> = {
  source: 'source',
  channel: 'channel',
  utmCampaign: 'campaign',
};

/** What led visitors to a goal. */
export function AttributionPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const profile = useProfile(place);
  const { view, change } = useView(search);
  useTitle('Attribution');
  const list = useGoals(place);
  const goals = withoutArchived(list.answer?.goals ?? []);
  const chosen = view.tabs[GOAL];
  const goal = chosen === undefined ? goals[0] : goals.find(({ name }) => name === chosen);
  const dimension: AttributionDimension =
    ATTRIBUTION_DIMENSIONS.find((name) => name === view.tabs[BY]) ?? 'source';
  const days = LOOKBACK_DAYS.find((each) => String(each) === view.tabs[LOOKBACK]) ?? ATTRIBUTION_DAYS_DEFAULT;
  const asked = { goal: goal?.id, dimension, lookback: `${days}d` };
  const question = { ...toQuestion(view), ...asked };
  const { answer, fault, retry, isLoading, isOld } = useAnswer(
    goal && `attribution ${place.base} ${JSON.stringify(question)}`,
    (signal) => ask<Attribution>(place, '/stats/attribution', question, signal),
  );
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <div class="page-head">
          <h1>Attribution</h1>
          <GoalTabs place={place} current="/goals/attribution" />
        </div>
        <p class="quiet-text about">
          Which sources led to a goal: by the first visit, by the last one, or by all of them in equal shares.{' '}
          <a href={toHref('/docs/definitions')}>Definitions</a>
        </p>
        <ListTools place={place} view={view} list="stats/attribution" question={asked} onChange={change} />
        {list.fault && <Problem fault={list.fault} onRetry={list.retry} />}
        <PageProblem fault={fault} onRetry={retry} view={view} onChange={change} />
        {list.answer && goals.length === 0 && (
          <p class="card goals-empty">
            <strong>No goals yet.</strong> Add one on the Goals page. Attribution covers past visits too.
          </p>
        )}
        {goals.length > 0 && !goal && (
          <p class="card goals-empty">There is no goal “{chosen}” here any more. Choose another one.</p>
        )}
        {goals.length > 0 && (
          <Choices
            goals={goals}
            goal={goal}
            dimension={dimension}
            days={days}
            onChoose={(tab, value) => change({ tabs: { ...view.tabs, [tab]: value } })}
          />
        )}
        {goal && (
          <section
            class={`card goals-card ${isOld ? 'old' : ''}`}
            aria-label="Attribution"
            aria-busy={isLoading}
          >
            {answer?.conversions === 0 && <p class="goals-empty">Nobody reached this goal in this period.</p>}
            {answer && answer.conversions > 0 && <AttributionTable {...answer} />}
          </section>
        )}
      </div>
    </WebsiteFrame>
  );
}

type ChoicesProps = {
  goals: Goal[];
  goal: Goal | undefined;
  dimension: AttributionDimension;
  days: number;
  onChoose: (tab: string, value: string) => void;
};

/** Of which goal, by what, and how far back. */
function Choices({ goals, goal, dimension, days, onChoose }: ChoicesProps) {
  return (
    <div class="card funnel-steps">
      <div class="funnel-options attribution-choice">
        <NamedChoice
          label="Goal"
          names={{
            ...(!goal && { '': 'Choose a goal' }),
            ...Object.fromEntries(goals.map(({ name }) => [name, name])),
          }}
          value={goal?.name ?? ''}
          onChange={(name) => onChoose(GOAL, name)}
        />
        <NamedChoice label="By" names={BY_NAMES} value={dimension} onChange={(name) => onChoose(BY, name)} />
        <NamedChoice
          label="Looking back"
          names={LOOKBACKS}
          value={String(days)}
          onChange={(name) => onChoose(LOOKBACK, name)}
        />
      </div>
    </div>
  );
}
