import type { VisitorList } from '../../contract/metrics-lists.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { formatCountLong } from '../format.ts';
import type { PageProps } from '../page-props.ts';
import { ListTools } from '../people/ListTools.tsx';
import { clientOf, shortId } from '../people/origin.ts';
import { formatInstant } from '../time-format.ts';
import { useTitle } from '../use-title.ts';
import { toQuestion } from '../view-state.ts';
import { ask, toPlace } from '../website/place.ts';
import { useProfile } from '../website/profile.ts';
import { useView } from '../website/use-view.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

const ROWS = 50;

/** The browsers that came, the latest active first. */
export function VisitorsPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const profile = useProfile(place);
  const { view, change } = useView(search);
  const { offset = 0 } = view;
  const { compare: _, ...question } = toQuestion(view);
  useTitle('Visitors');
  const { answer, fault, retry, isLoading } = useAnswer(
    `visitors ${place.base} ${JSON.stringify(question)} ${offset}`,
    (signal) => ask<VisitorList>(place, '/visitors', { ...question, limit: ROWS, offset }, signal),
  );
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <h1>Visitors</h1>
        <ListTools
          place={place}
          view={view}
          list="visitors"
          onChange={(changes) => change({ ...changes, offset: undefined })}
        />
        {fault && <Problem fault={fault} onRetry={retry} />}
        <ul class="card people" aria-busy={isLoading}>
          {answer?.visitors.map((visitor) => (
            <li key={visitor.visitorId}>
              <Link
                to={`${place.base}/visitors/${encodeURIComponent(visitor.visitorId)}`}
                class="people-main"
                title={visitor.visitorId}
              >
                {shortId(visitor.visitorId)}
              </Link>
              <span class="people-facts quiet-text">{clientOf(visitor)}</span>
              <span class="people-facts number">
                {formatCountLong(visitor.visits)} {visitor.visits === 1 ? 'visit' : 'visits'} ·{' '}
                {formatCountLong(visitor.pageviews)} {visitor.pageviews === 1 ? 'view' : 'views'}
              </span>
              <time class="people-time number quiet-text" dateTime={visitor.lastSeenAt}>
                {formatInstant(visitor.lastSeenAt, answer.range.timezone)}
              </time>
            </li>
          ))}
          {answer?.visitors.length === 0 && <li class="people-none">No visitor in this selection.</li>}
        </ul>
        {answer && (
          <Pager pagination={answer.pagination} onOffset={(next) => change({ offset: next || undefined })} />
        )}
      </div>
    </WebsiteFrame>
  );
}
