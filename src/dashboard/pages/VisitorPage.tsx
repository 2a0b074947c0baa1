import { useMemo, useState } from 'preact/hooks';
import type { VisitorDetail } from '../../contract/metrics/lists.ts';
import { SECTIONS } from '../../vocabulary/access.ts';
import { call, respond } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { forgetAnswers } from '../api/use-answer.ts';
import type { PageProps } from '../browser/page-props.ts';
import { navigate } from '../browser/router.ts';
import { saveFile } from '../browser/save-file.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Country, Facts } from '../people/Facts.tsx';
import { clientOf, shortId } from '../people/origin.ts';
import { Source } from '../people/Source.tsx';
import { VisitCalendar } from '../people/VisitCalendar.tsx';
import { byVisit, dayOf, offsetOf } from '../people/visit-days.ts';
import { usePage } from '../report/use-page.ts';
import { formatCountLong, formatCountOf } from '../state/format.ts';
import { addressIn } from '../state/kept-view.ts';
import { hasRole, isShown } from '../state/own-access.ts';
import { formatDays, formatInstant } from '../state/time-format.ts';
import { nameOfValue } from '../state/value-names.ts';
import type { PageCodec } from '../state/view-state.ts';
import { DetailPage } from './DetailPage.tsx';

/** `day=2026-11-24`: the day whose visits alone are shown; empty for all. */
const CODEC: PageCodec<string> = {
  read: (parameters) => /^\d{4}-\d\d-\d\d$/.exec(parameters.get('day') ?? '')?.[0] ?? '',
  write: (day, parameters) => {
    if (day) parameters.set('day', day);
  },
};

/** One browser: its visits and events; everything stored about it can be exported or erased. */
export function VisitorPage(props: PageProps) {
  const page = usePage(props, CODEC);
  const { place, profile, own: day, change } = page;
  const mayExport = SECTIONS.every((section) => isShown(profile.answer, section));
  const visitorId = props.parameters.visitorId ?? '';
  const [isErasing, setErasing] = useState(false);
  const api = `/websites/${encodeURIComponent(place.websiteId)}/visitors/${encodeURIComponent(visitorId)}`;

  async function exportAll(): Promise<void> {
    const response = await respond('GET', `${api}/export`);
    saveFile(await response.blob(), `visitor-${shortId(visitorId)}.json`);
  }

  return (
    <DetailPage
      page={page}
      kind="Visitor"
      id={visitorId}
      actions={
        <div class="page-actions">
          {mayExport && <ActionButton onAct={exportAll}>Export</ActionButton>}
          {hasRole(profile.answer, 'admin') && (
            <button type="button" class="quiet" onClick={() => setErasing(true)}>
              Erase…
            </button>
          )}
        </div>
      }
      events={['Events', 'Events, newest first']}
      visitsOf={({ visits }: VisitorDetail) => visits}
      {...(day && { narrow: (answer: VisitorDetail, timezone: string) => eventsOn(answer, day, timezone) })}
      showFacts={(answer: VisitorDetail, timezone) => (
        <Details
          of={answer}
          timezone={timezone}
          day={day}
          onDay={(next) =>
            change({ offset: (next && offsetOf(answer.visits, next, timezone)) || undefined }, next ?? '')
          }
        />
      )}
    >
      {isErasing && <EraseDialog place={place} api={api} onClose={() => setErasing(false)} />}
    </DetailPage>
  );
}

/** Events of the visits that began on a day, as far as the page of the answer has them. */
function eventsOn({ visits, events }: VisitorDetail, day: string, timezone: string) {
  const own = visits.filter((visit) => dayOf(visit, timezone) === day);
  return byVisit(events, own).flatMap(({ visit, events: ofVisit }) => (visit ? ofVisit : []));
}

type DetailsProps = {
  of: VisitorDetail;
  timezone: string;
  /** Day whose visits alone are shown; empty for all. */
  day: string;
  onDay: (day: string | undefined) => void;
};

/** Facts about the visitor, and their visits. */
function Details({ of: answer, timezone, day, onDay }: DetailsProps) {
  const { visitor, visits } = answer;
  const nowMs = useMemo(Date.now, [answer]);
  const shown = day ? visits.filter((visit) => dayOf(visit, timezone) === day) : visits;
  return (
    <>
      <Facts
        facts={[
          ['First seen', formatInstant(visitor.firstSeenAt, timezone)],
          ['Last seen', formatInstant(visitor.lastSeenAt, timezone)],
          ['Visits', formatCountLong(visitor.visits)],
          ['Views', formatCountLong(visitor.pageviews)],
          ['Events', formatCountLong(visitor.events)],
          ['Country', visitor.country && <Country key="country" code={visitor.country} />],
          ['Region', visitor.region && nameOfValue('region', visitor.region)],
          ['City', visitor.city && nameOfValue('city', visitor.city)],
          ['Browser', clientOf({ ...visitor, country: null })],
          ['Language', visitor.language && nameOfValue('language', visitor.language)],
          ['Screen', visitor.screen],
          ['ID', visitor.visitorId],
        ]}
      />
      <h2>{describeVisits(visits.length, visitor.visits)}</h2>
      {visits.length > 1 && (
        <VisitCalendar
          visits={visits.map(({ startedAt }) => startedAt)}
          timezone={timezone}
          nowMs={nowMs}
          chosen={day}
          onChoose={onDay}
        />
      )}
      {day && (
        <p class="quiet-text">
          {formatDays(day, day)} only.{' '}
          <button type="button" class="plain" onClick={() => onDay(undefined)}>
            Show all days
          </button>
        </p>
      )}
      <ol class="visits">
        {shown.map((visit) => (
          <li key={visit.startedAt}>
            <time class="number" dateTime={visit.startedAt}>
              {formatInstant(visit.startedAt, timezone)}
            </time>{' '}
            <span class="quiet-text">
              <Source of={visit} /> · {visit.entryPage ?? 'no page'} ·{' '}
              {formatCountOf(visit.pageviews, 'views')}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function describeVisits(shown: number, total: number): string {
  if (shown >= total) return 'Visits';
  return `The latest ${formatCountLong(shown)} of ${formatCountLong(total)} visits`;
}

type EraseProps = {
  place: Place;
  /** Path of the visitor in the API. */
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
        navigate(addressIn(place, '/visits'), { replace: true });
      }}
      onClose={onClose}
    >
      Every event of this visitor is permanently removed, and reports change as if there had been none. Only a
      backup can bring them back.
    </DangerDialog>
  );
}
