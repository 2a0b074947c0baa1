import type { Goal } from '../../contract/goal.ts';
import type { Attribution } from '../../metrics/reports/attribution.ts';
import {
  ATTRIBUTION_DAYS_DEFAULT,
  ATTRIBUTION_DIMENSIONS,
  type AttributionDimension,
} from '../../vocabulary/contract.ts';
import { useGoals } from '../api/use-goals.ts';
import { useReport } from '../api/use-report.ts';
import { AttributionTable } from '../attribution/AttributionTable.tsx';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { NamedChoice } from '../components/Choice.tsx';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { ReportCard, ReportPage } from '../report/ReportPage.tsx';
import { usePage } from '../report/use-page.ts';
import { withoutArchived } from '../state/goal-names.ts';
import { type PageCodec, toQuestion } from '../state/view-state.ts';

const LOOKBACK_DAYS = [1, 7, ATTRIBUTION_DAYS_DEFAULT, 90, 365];

const LOOKBACKS = Object.fromEntries(
  LOOKBACK_DAYS.map((days) => [String(days), days === 1 ? '1 day' : `${days} days`]),
);
const BY_NAMES: Record<AttributionDimension, string> = {
  source: 'source',
  channel: 'channel',
  utmCampaign: 'campaign',
};

/** Choices in the address; undefined where it names none. */
type Choices = { goal: string | undefined; by: string | undefined; lookback: string | undefined };
const CHOICES = ['goal', 'by', 'lookback'] as const;

const CODEC: PageCodec<Choices> = {
  read: (parameters) => {
    const read = (name: keyof Choices) => parameters.get(`tab.${name}`) ?? undefined;
    return { goal: read('goal'), by: read('by'), lookback: read('lookback') };
  },
  write: (choices, parameters) => {
    for (const name of CHOICES) {
      const value = choices[name];
      if (value !== undefined) parameters.set(`tab.${name}`, value);
    }
  },
};

/** Which sources led visitors to a goal. */
export function AttributionPage(props: PageProps) {
  const page = usePage(props, CODEC);
  const { place, view, own, change } = page;
  const list = useGoals(place);
  const goals = withoutArchived(list.answer?.goals ?? []);
  const goal = own.goal === undefined ? goals[0] : goals.find(({ name }) => name === own.goal);
  const dimension = ATTRIBUTION_DIMENSIONS.find((name) => name === own.by) ?? 'source';
  const days = LOOKBACK_DAYS.find((each) => String(each) === own.lookback) ?? ATTRIBUTION_DAYS_DEFAULT;
  const question = { goal: goal?.id, dimension, lookback: `${days}d` };
  const report = useReport<Attribution>(
    place,
    '/stats/attribution',
    goal && { ...toQuestion(view), ...question },
  );
  const { answer } = report;
  return (
    <ReportPage
      page={page}
      title="Attribution"
      head={<GoalTabs place={place} current="/goals/attribution" />}
      about={
        <>
          Which sources led to a goal: by the first visit, by the last one, or by all of them in equal shares.{' '}
          <a href={toHref('/docs/definitions')}>Definitions</a>
        </>
      }
      list="stats/attribution"
      question={question}
      answers={[list, report]}
    >
      {list.answer && goals.length === 0 && (
        <p class="card goals-empty">
          <strong>No goals yet.</strong> Add one on the Goals page. Attribution covers past visits too.
        </p>
      )}
      {goals.length > 0 && !goal && (
        <p class="card goals-empty">There is no goal “{own.goal}” here any more. Choose another one.</p>
      )}
      {goals.length > 0 && (
        <ChoiceFields
          goals={goals}
          goal={goal}
          dimension={dimension}
          days={days}
          onChoose={(choice) => change({}, { ...own, ...choice })}
        />
      )}
      {goal && (
        <ReportCard class="goals-card" label="Attribution" of={report}>
          {answer?.conversions === 0 && (
            <p class="goals-empty">No visitor reached this goal in this period.</p>
          )}
          {answer && answer.conversions > 0 && <AttributionTable {...answer} />}
        </ReportCard>
      )}
    </ReportPage>
  );
}

type ChoiceFieldsProps = {
  goals: Goal[];
  goal: Goal | undefined;
  dimension: AttributionDimension;
  days: number;
  onChoose: (choice: Partial<Choices>) => void;
};

/** Choices of the goal, the dimension, and how far to look back. */
function ChoiceFields({ goals, goal, dimension, days, onChoose }: ChoiceFieldsProps) {
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
          onChange={(name) => onChoose({ goal: name })}
        />
        <NamedChoice
          label="By"
          names={BY_NAMES}
          value={dimension}
          onChange={(name) => onChoose({ by: name })}
        />
        <NamedChoice
          label="Lookback window"
          names={LOOKBACKS}
          value={String(days)}
          onChange={(name) => onChoose({ lookback: name })}
        />
      </div>
    </div>
  );
}
