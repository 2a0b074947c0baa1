import type { SessionList } from '../../contract/metrics-lists.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { formatCountLong, formatDuration } from '../format.ts';
import type { PageProps } from '../page-props.ts';
import { ListTools } from '../people/ListTools.tsx';
import { clientOf, sourceOf } from '../people/origin.ts';
import { formatInstant } from '../time-format.ts';
import { useTitle } from '../use-title.ts';
import { toQuestion } from '../view-state.ts';
import { ask, toPlace } from '../website/place.ts';
import { useProfile } from '../website/profile.ts';
import { useView } from '../website/use-view.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

const ROWS = 50;

/** What browser tabs did, the latest first. */
export function SessionsPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const profile = useProfile(place);
  const { view, change } = useView(search);
  const { offset = 0 } = view;
  const { compare: _, ...question } = toQuestion(view);
  useTitle('Sessions');
  const { answer, fault, retry, isLoading } = useAnswer(
    `sessions ${place.base} ${JSON.stringify(question)} ${offset}`,
    (signal) => ask<SessionList>(place, '/sessions', { ...question, limit: ROWS, offset }, signal),
  );
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <h1>Sessions</h1>
        <ListTools
          place={place}
          view={view}
          list="sessions"
          onChange={(changes) => change({ ...changes, offset: undefined })}
        />
        {fault && <Problem fault={fault} onRetry={retry} />}
        <ul class="card people" aria-busy={isLoading}>
          {answer?.sessions.map((session) => (
            <li key={session.sessionId}>
              <Link
                to={`${place.base}/sessions/${encodeURIComponent(session.sessionId)}`}
                class="people-main"
              >
                {session.entryPage ?? 'No page viewed'}
                {session.exitPage && session.exitPage !== session.entryPage && ` → ${session.exitPage}`}
              </Link>
              <span class="people-facts quiet-text">{clientOf(session)}</span>
              <span class="people-facts quiet-text">{sourceOf(session)}</span>
              <span class="people-facts number">
                {formatCountLong(session.pageviews)} {session.pageviews === 1 ? 'view' : 'views'} ·{' '}
                {formatDuration(session.duration)}
              </span>
              <time class="people-time number quiet-text" dateTime={session.lastActivityAt}>
                {formatInstant(session.lastActivityAt, answer.range.timezone)}
              </time>
            </li>
          ))}
          {answer?.sessions.length === 0 && <li class="people-none">No session in this selection.</li>}
        </ul>
        {answer && (
          <Pager pagination={answer.pagination} onOffset={(next) => change({ offset: next || undefined })} />
        )}
      </div>
    </WebsiteFrame>
  );
}
