import { useMemo } from 'preact/hooks';
import type { VisitList } from '../../contract/metrics/visits.ts';
import { SECOND_MS } from '../../vocabulary/durations.ts';
import { useGoals } from '../api/use-goals.ts';
import { useReport } from '../api/use-report.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { NamedChoice } from '../components/Choice.tsx';
import { Menu } from '../components/Menu.tsx';
import { Pager } from '../components/Pager.tsx';
import { byDay } from '../people/days.ts';
import { VisitRow } from '../people/VisitRow.tsx';
import { ReportPage } from '../report/ReportPage.tsx';
import { usePage } from '../report/use-page.ts';
import { withoutArchived } from '../state/goal-names.ts';
import { addressIn } from '../state/kept-view.ts';
import type { ViewChanges } from '../state/use-view.ts';
import { type Filter, type PageCodec, toQuestion } from '../state/view-state.ts';

const ROWS = 50;
/** Interval of asking again while the list begins with the present. */
const EVERY_MS = 10 * SECOND_MS;

/** Fewest pageviews of a visit; '' for any. */
const PAGES = { '': 'any number', 2: '2 or more', 3: '3 or more', 5: '5 or more', 10: '10 or more' };
type Pages = `${keyof typeof PAGES}`;

const CODEC: PageCodec<Pages> = {
  read: (parameters) =>
    (Object.keys(PAGES) as Pages[]).find((name) => name === parameters.get('pages')) ?? '', // its keys
  write: (pages, parameters) => {
    if (pages) parameters.set('pages', pages);
  },
};

/** Visits, the latest active first: who came from where, over what to where, and with which result. */
export function VisitsPage(props: PageProps) {
  const page = usePage(props, CODEC);
  const { place, view, own: pages, change } = page;
  const { offset = 0 } = view;
  const question = { ...toQuestion(view), minPageviews: pages || undefined };
  const report = useReport<VisitList>(
    place,
    '/visits',
    { ...question, limit: ROWS, offset },
    offset === 0 ? { everyMs: EVERY_MS } : {},
  );
  const { answer, isLoading, isOld } = report;
  const visits = answer?.visits ?? [];
  const nowMs = useMemo(Date.now, [answer]);
  const timezone = answer?.range.timezone ?? 'UTC';
  const longestS = Math.max(0, ...visits.map(({ duration }) => duration));
  const toFirst = (changes: ViewChanges, next?: Pages) => change({ ...changes, offset: undefined }, next);
  return (
    <ReportPage
      page={{ ...page, change: toFirst }}
      title="Visits"
      about={
        <>
          One row is one visit, with everything that happened in it. Filters choose the rows.{' '}
          <a href={toHref('/docs/definitions')}>Definitions</a>
        </>
      }
      list="visits"
      question={{ minPageviews: pages || undefined }}
      form={
        <div class="visit-tools">
          <GoalMenu
            goals={withoutArchived(useGoals(place).answer?.goals ?? []).map(({ name }) => name)}
            filters={view.filters}
            onChange={(filters) => toFirst({ filters })}
          />
          <NamedChoice
            label="Pages"
            names={PAGES as Record<Pages, string>}
            among={['', '2', '3', '5', '10']}
            value={pages}
            onChange={(next) => toFirst({}, next)}
          />
        </div>
      }
      answers={[report]}
    >
      <ul class={`card people ${isOld ? 'old' : ''}`} aria-busy={isLoading}>
        {byDay(visits, ({ endedAt }) => endedAt, timezone, nowMs).flatMap(({ day, rows }) => [
          <li key={day} class="people-day">
            {day}
          </li>,
          ...rows.map((visit) => (
            <VisitRow
              key={`${visit.visitorId} ${visit.startedAt}`}
              visit={visit}
              to={addressIn(place, `/visitors/${encodeURIComponent(visit.visitorId)}`)}
              timezone={timezone}
              nowMs={nowMs}
              longestS={longestS}
            />
          )),
        ])}
        {answer && visits.length === 0 && <li class="people-none">No visits found.</li>}
      </ul>
      {answer && (
        <Pager pagination={answer.pagination} onOffset={(next) => change({ offset: next || undefined })} />
      )}
    </ReportPage>
  );
}

type GoalMenuProps = { goals: string[]; filters: Filter[]; onChange: (filters: Filter[]) => void };

/** Adds a filter for visits that reached a goal, or any of them. */
function GoalMenu({ goals, filters, onChange }: GoalMenuProps) {
  if (goals.length === 0) return null;
  const others = filters.filter(({ dimension }) => !/^(has_done:)?goal$/.test(dimension));
  // Anywhere in the visit, because other filters may be about another event of it.
  const choose = (values: string[]) =>
    onChange([...others, { operator: 'is', dimension: 'has_done:goal', values }]);
  return (
    <Menu label="With a goal">
      <button type="button" onClick={() => choose(goals)}>
        Any goal
      </button>
      {goals.map((name) => (
        <button key={name} type="button" onClick={() => choose([name])}>
          <bdi>{name}</bdi>
        </button>
      ))}
      {others.length < filters.length && (
        <button type="button" onClick={() => onChange(others)}>
          All visits
        </button>
      )}
    </Menu>
  );
}
