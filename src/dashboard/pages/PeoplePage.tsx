import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SessionList, VisitorList } from '../../contract/metrics/lists.ts';
import { HOUR_MS } from '../../vocabulary/durations.ts';
import { useGoals } from '../api/use-goals.ts';
import { useReport } from '../api/use-report.ts';
import type { PageProps } from '../browser/page-props.ts';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { byDay } from '../people/days.ts';
import { MatchedMark, namesGoal } from '../people/MatchedMark.tsx';
import { ReportPage } from '../report/ReportPage.tsx';
import { usePage } from '../report/use-page.ts';
import { addressIn } from '../state/kept-view.ts';
import { formatAgo, formatClock, formatInstant } from '../state/time-format.ts';
import type { ViewChanges } from '../state/use-view.ts';
import { toQuestion } from '../state/view-state.ts';

type Matched = NonNullable<SessionList['sessions'][number]['matched']>;
type PeopleRow = {
  id: string;
  label: string;
  /** Tooltip of the label. */
  title?: string;
  /** Browser, source: one column for each. */
  facts: ComponentChildren[];
  figures: string;
  /** Events of the row, and what the filters selected of them. */
  events: number;
  matched?: Matched | undefined;
  /** Instant of the last event, with filters of the last that matches: rows are in this order. */
  lastAt: string;
};

type Props<Answer> = PageProps & {
  /** Path of the list in the API, and name of its file. */
  list: 'sessions' | 'visitors';
  title: string;
  /** Below the title: what is listed. */
  about?: ComponentChildren;
  /** Text when there are no rows. */
  none: string;
  toRows: (answer: Answer) => PeopleRow[];
};

const ROWS = 50;
/** Whether a time is shown relatively: within the last hour. */
const isRecent = (at: string, nowMs: number) => nowMs - Date.parse(at) < HOUR_MS;

/** Sessions or visitors, the latest match first: filters, period, file, and the list from page to page. */
export function PeoplePage<Answer extends SessionList | VisitorList>({
  list,
  title,
  about,
  none,
  toRows,
  ...props
}: Props<Answer>) {
  const page = usePage(props);
  const { place, view, change } = page;
  const { offset = 0 } = view;
  const toFirst = (changes: ViewChanges) => change({ ...changes, offset: undefined });
  const report = useReport<Answer>(place, `/${list}`, { ...toQuestion(view), limit: ROWS, offset });
  const { answer, isLoading, isOld } = report;
  const rows = answer ? toRows(answer) : [];
  const nowMs = useMemo(Date.now, [answer]);
  const goals = useGoals(place, namesGoal(view.filters));
  const timezone = answer?.range.timezone ?? 'UTC';
  return (
    <ReportPage
      page={{ ...page, change: toFirst }}
      title={title}
      about={about}
      list={list}
      answers={[report]}
    >
      <ul class={`card people people-${list} ${isOld ? 'old' : ''}`} aria-busy={isLoading}>
        {byDay(rows, ({ lastAt }) => lastAt, timezone, nowMs).flatMap(({ day, rows: ofDay }) => [
          <li key={day} class="people-day">
            {day}
          </li>,
          ...ofDay.map(({ id, label, title, facts, figures, lastAt, events, matched }) => (
            <li key={id}>
              <Link
                to={addressIn(place, `/${list}/${encodeURIComponent(id)}`)}
                class="people-main"
                {...(title && { title })}
              >
                {label}
              </Link>
              {facts.map((fact, index) => (
                <span class="people-facts people-fact quiet-text" key={index}>
                  {fact}
                </span>
              ))}
              <span class="people-facts number">
                {matched && (
                  <MatchedMark
                    matched={matched}
                    events={events}
                    filters={view.filters}
                    goals={goals.answer?.goals}
                  />
                )}
                {figures}
              </span>
              <time
                class="people-time number quiet-text"
                dateTime={lastAt}
                title={formatInstant(lastAt, timezone)}
              >
                {isRecent(lastAt, nowMs)
                  ? formatAgo(Date.parse(lastAt), nowMs)
                  : formatClock(lastAt, timezone)}
              </time>
            </li>
          )),
        ])}
        {answer && rows.length === 0 && <li class="people-none">{none}</li>}
      </ul>
      {answer && (
        <Pager pagination={answer.pagination} onOffset={(next) => change({ offset: next || undefined })} />
      )}
    </ReportPage>
  );
}
