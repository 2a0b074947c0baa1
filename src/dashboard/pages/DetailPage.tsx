import type { ComponentChildren } from 'preact';
import type { Activity, SessionDetail, Visit, VisitorDetail } from '../../contract/metrics/lists.ts';
import { useReport } from '../api/use-report.ts';
import { useTitle } from '../browser/use-title.ts';
import { Boundary } from '../components/Boundary.tsx';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { shortId } from '../people/origin.ts';
import { Path } from '../people/Path.tsx';
import type { Page } from '../report/use-page.ts';
import { addressIn } from '../state/kept-view.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

type Props<Answer> = {
  page: Page;
  kind: 'Session' | 'Visitor';
  id: string;
  /** Next to the title, once there is an answer. */
  actions?: ComponentChildren;
  /** Events that are shown, of those of the answer; without it, all of them. */
  narrow?: (answer: Answer, timezone: string) => Activity[];
  /** Visits that the events are grouped by. */
  visitsOf?: (answer: Answer) => readonly Visit[];
  /** Facts besides the events. */
  showFacts: (answer: Answer, timezone: string) => ComponentChildren;
  /** Name of the list of events, for screen readers, and its heading. */
  events: [label: string, heading: string];
  children?: ComponentChildren;
};

/** Events on a page of the list. */
const EVENTS = 100;

/** One session or visitor: facts, and events from page to page. */
export function DetailPage<Answer extends SessionDetail | VisitorDetail>({
  page: { place, profile, view, change },
  kind,
  id,
  actions,
  narrow,
  visitsOf,
  showFacts,
  events: [label, heading],
  children,
}: Props<Answer>) {
  const timezone = profile.answer?.timezone ?? 'UTC';
  useTitle(kind);
  const { answer, fault, retry, isLoading } = useReport<Answer>(
    place,
    `/${kind.toLowerCase()}s/${encodeURIComponent(id)}`,
    { limit: EVENTS, offset: view.offset ?? 0 },
  );
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <p class="crumb">
          <Link to={addressIn(place, '/visits')}>Visits</Link>
        </p>
        <div class="page-head">
          <h1>
            {kind} {shortId(id)}
          </h1>
          {answer && actions}
        </div>
        {fault && <Problem fault={fault} onRetry={retry} />}
        {answer && (
          <div class="detail">
            <Boundary>
              <section class="card detail-facts" aria-label="Details">
                {showFacts(answer, timezone)}
              </section>
            </Boundary>
            <Boundary>
              <section class="card detail-path" aria-label={label} aria-busy={isLoading}>
                <h2>{heading}</h2>
                <Path
                  events={narrow?.(answer, timezone) ?? answer.events}
                  timezone={timezone}
                  visits={visitsOf?.(answer)}
                />
                {!narrow && (
                  <Pager
                    pagination={answer.pagination}
                    onOffset={(next) => change({ offset: next || undefined })}
                  />
                )}
              </section>
            </Boundary>
          </div>
        )}
        {children}
      </div>
    </WebsiteFrame>
  );
}
