import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SessionList, VisitorList } from '../../contract/metrics/lists.ts';
import { HOUR_MS } from '../../vocabulary/durations.ts';
import { ask, toPlace } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useProfile } from '../api/use-profile.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { byDay } from '../people/days.ts';
import { PageProblem } from '../report/PageProblem.tsx';
import { ListTools } from '../report/ReportTools.tsx';
import { formatAgo, formatClock, formatInstant } from '../state/time-format.ts';
import { useView, type ViewChanges } from '../state/use-view.ts';
import { toQuestion } from '../state/view-state.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

type PeopleRow = {
  id: string;
  label: string;
  /** Shown when the label is pointed at. */
  title?: string;
  /** Browser, source: a column each. */
  facts: ComponentChildren[];
  figures: string;
  /** Instant of the last event. */
  lastAt: string;
};

type Props<Answer> = PageProps & {
  /** Path of the list in the API, and name of its file. */
  list: 'sessions' | 'visitors';
  title: string;
  /** Below the title: what is listed. */
  about?: ComponentChildren;
  /** Instead of rows when there are none. */
  none: string;
  toRows: (answer: Answer) => PeopleRow[];
};

const ROWS = 50;
/** Of what was within the hour one asks how long ago; of what was before, when. */
const isRecent = (at: string, nowMs: number) => nowMs - Date.parse(at) < HOUR_MS;

/** Sessions or visitors, the latest active first: filters, period, file, and the list from page to page. */
export function PeoplePage<Answer extends SessionList | VisitorList>({
  parameters,
  search,
  list,
  title,
  about,
  none,
  toRows,
}: Props<Answer>) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const profile = useProfile(place);
  const { view, change } = useView(search);
  const { offset = 0 } = view;
  const toFirst = (changes: ViewChanges) => change({ ...changes, offset: undefined });
  const question = toQuestion(view);
  useTitle(title);
  const { answer, fault, retry, isLoading, isOld } = useAnswer(
    `${list} ${place.base} ${JSON.stringify(question)} ${offset}`,
    (signal) => ask<Answer>(place, `/${list}`, { ...question, limit: ROWS, offset }, signal),
  );
  const rows = answer ? toRows(answer) : [];
  const nowMs = useMemo(Date.now, [answer]);
  const timezone = answer?.range.timezone ?? 'UTC';
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <h1>{title}</h1>
        {about && <p class="quiet-text about">{about}</p>}
        <ListTools place={place} view={view} list={list} onChange={toFirst} />
        <PageProblem fault={fault} onRetry={retry} view={view} onChange={toFirst} />
        <ul class={`card people people-${list} ${isOld ? 'old' : ''}`} aria-busy={isLoading}>
          {byDay(rows, ({ lastAt }) => lastAt, timezone, nowMs).flatMap(({ day, rows: ofDay }) => [
            <li key={day} class="people-day">
              {day}
            </li>,
            ...ofDay.map(({ id, label, title, facts, figures, lastAt }) => (
              <li key={id}>
                <Link
                  to={`${place.base}/${list}/${encodeURIComponent(id)}`}
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
                <span class="people-facts number">{figures}</span>
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
      </div>
    </WebsiteFrame>
  );
}
