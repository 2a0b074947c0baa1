import type { SessionDetail } from '../../contract/metrics/lists.ts';
import { ask, toPlace } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useProfile } from '../api/use-profile.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { Country, Facts } from '../people/Facts.tsx';
import { clientOf, shortId } from '../people/origin.ts';
import { Path } from '../people/Path.tsx';
import { Source } from '../people/Source.tsx';
import { formatCountLong, formatDuration } from '../state/format.ts';
import { formatInstant } from '../state/time-format.ts';
import { useView } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** Of a page of the path. */
const EVENTS = 100;

/** One browser tab: where it came from and what it did, step by step. */
export function SessionPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const sessionId = parameters.sessionId ?? '';
  const profile = useProfile(place);
  const timezone = profile.answer?.timezone ?? 'UTC';
  const { view, change } = useView(search);
  const { offset = 0 } = view;
  useTitle('Session');
  const path = `/sessions/${encodeURIComponent(sessionId)}`;
  const { answer, fault, retry, isLoading } = useAnswer(
    `session ${place.base} ${sessionId} ${offset}`,
    (signal) => ask<SessionDetail>(place, path, { limit: EVENTS, offset }, signal),
  );
  const session = answer?.session;
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <p class="crumb">
          <Link to={`${place.base}/sessions`}>Sessions</Link>
        </p>
        <h1>Session {shortId(sessionId)}</h1>
        {fault && <Problem fault={fault} onRetry={retry} />}
        {session && (
          <div class="detail">
            <section class="card detail-facts" aria-label="Details">
              <Facts
                facts={[
                  [
                    'Visitor',
                    <Link
                      key="visitor"
                      to={`${place.base}/visitors/${encodeURIComponent(session.visitorId)}`}
                    >
                      {shortId(session.visitorId)}
                    </Link>,
                  ],
                  ['Started', formatInstant(session.startedAt, timezone)],
                  ['Duration', formatDuration(session.duration)],
                  ['Source', <Source key="source" of={session} />],
                  ['Channel', session.channel],
                  ['Country', session.country && <Country key="country" code={session.country} />],
                  ['Browser', clientOf({ ...session, country: null })],
                  ['Language', session.language && nameOfValue('language', session.language)],
                  ['Screen', session.screen],
                  ['Views', formatCountLong(session.pageviews)],
                  ['Events', formatCountLong(session.events)],
                ]}
              />
            </section>
            <section class="card detail-path" aria-label="Path" aria-busy={isLoading}>
              <h2>Path</h2>
              <Path events={answer.events} timezone={timezone} />
              <Pager
                pagination={answer.pagination}
                onOffset={(next) => change({ offset: next || undefined })}
              />
            </section>
          </div>
        )}
      </div>
    </WebsiteFrame>
  );
}
