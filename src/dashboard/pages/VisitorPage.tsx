import { useMemo, useState } from 'preact/hooks';
import type { VisitorDetail } from '../../contract/metrics/lists.ts';
import { call, respond } from '../api/client.ts';
import { ask, type Place, toPlace } from '../api/place.ts';
import { forgetAnswers, useAnswer } from '../api/use-answer.ts';
import { useProfile } from '../api/use-profile.ts';
import type { PageProps } from '../browser/page-props.ts';
import { navigate } from '../browser/router.ts';
import { saveFile } from '../browser/save-file.ts';
import { useTitle } from '../browser/use-title.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { Country, Facts } from '../people/Facts.tsx';
import { clientOf, shortId } from '../people/origin.ts';
import { Path } from '../people/Path.tsx';
import { Source } from '../people/Source.tsx';
import { VisitCalendar } from '../people/VisitCalendar.tsx';
import { formatCountLong, tellCount } from '../state/format.ts';
import { formatInstant } from '../state/time-format.ts';
import { useView } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** Of a page of the list. */
const EVENTS = 100;

/** One browser: when it came, what it did; everything stored of it to take away, or to erase. */
export function VisitorPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const visitorId = parameters.visitorId ?? '';
  const path = `/visitors/${encodeURIComponent(visitorId)}`;
  const profile = useProfile(place);
  const timezone = profile.answer?.timezone ?? 'UTC';
  const { view, change } = useView(search);
  const { offset = 0 } = view;
  const [isErasing, setErasing] = useState(false);
  useTitle('Visitor');
  const { answer, fault, retry, isLoading } = useAnswer(
    `visitor ${place.base} ${visitorId} ${offset}`,
    (signal) => ask<VisitorDetail>(place, path, { limit: EVENTS, offset }, signal),
  );
  const api = `/websites/${encodeURIComponent(place.websiteId)}${path}`;

  async function takeAway(): Promise<void> {
    const response = await respond('GET', `${api}/export`);
    saveFile(await response.blob(), `visitor-${shortId(visitorId)}.json`);
  }

  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <p class="crumb">
          <Link to={`${place.base}/visitors`}>Visitors</Link>
        </p>
        <div class="page-head">
          <h1>Visitor {shortId(visitorId)}</h1>
          {answer && (
            <div class="page-actions">
              <ActionButton onAct={takeAway}>Export</ActionButton>
              <button type="button" class="quiet" onClick={() => setErasing(true)}>
                Erase…
              </button>
            </div>
          )}
        </div>
        {fault && <Problem fault={fault} onRetry={retry} />}
        {answer && (
          <div class="detail">
            <Details of={answer} timezone={timezone} />
            <section class="card detail-path" aria-label="Events" aria-busy={isLoading}>
              <h2>Events, newest first</h2>
              <Path events={answer.events} timezone={timezone} />
              <Pager
                pagination={answer.pagination}
                onOffset={(next) => change({ offset: next || undefined })}
              />
            </section>
          </div>
        )}
        {isErasing && <EraseDialog place={place} api={api} onClose={() => setErasing(false)} />}
      </div>
    </WebsiteFrame>
  );
}

type DetailsProps = { of: VisitorDetail; timezone: string };

/** What is known of the visitor, and the visits. */
function Details({ of: answer, timezone }: DetailsProps) {
  const { visitor, visits } = answer;
  const nowMs = useMemo(Date.now, [answer]);
  return (
    <section class="card detail-facts" aria-label="Details">
      <Facts
        facts={[
          ['First seen', formatInstant(visitor.firstSeenAt, timezone)],
          ['Last seen', formatInstant(visitor.lastSeenAt, timezone)],
          ['Visits', formatCountLong(visitor.visits)],
          ['Views', formatCountLong(visitor.pageviews)],
          ['Events', formatCountLong(visitor.events)],
          ['Country', visitor.country && <Country key="country" code={visitor.country} />],
          ['Browser', clientOf({ ...visitor, country: null })],
          ['Language', visitor.language && nameOfValue('language', visitor.language)],
          ['Screen', visitor.screen],
          ['ID', visitor.visitorId],
        ]}
      />
      <h2>{tellVisits(visits.length, visitor.visits)}</h2>
      {visits.length > 1 && (
        <VisitCalendar visits={visits.map(({ startedAt }) => startedAt)} timezone={timezone} nowMs={nowMs} />
      )}
      <ol class="visits">
        {visits.map((visit) => (
          <li key={visit.startedAt}>
            <time class="number" dateTime={visit.startedAt}>
              {formatInstant(visit.startedAt, timezone)}
            </time>{' '}
            <span class="quiet-text">
              <Source of={visit} /> · {visit.entryPage ?? 'no page'} · {tellCount(visit.pageviews, 'views')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function tellVisits(shown: number, total: number): string {
  if (shown >= total) return 'Visits';
  return `The latest ${formatCountLong(shown)} of ${formatCountLong(total)} visits`;
}

type EraseProps = {
  place: Place;
  /** Where the visitor is in the API. */
  api: string;
  onClose: () => void;
};

function EraseDialog({ place, api, onClose }: EraseProps) {
  return (
    <DangerDialog
      title="Erase this visitor?"
      action="Erase permanently"
      onAct={async () => {
        await call('DELETE', api);
        forgetAnswers();
        announce('Visitor erased.');
        navigate(`${place.base}/visitors`, { replace: true });
      }}
      onClose={onClose}
    >
      Every event of this visitor is permanently removed, and reports change as if there had been none. Only a
      backup can bring them back.
    </DangerDialog>
  );
}
