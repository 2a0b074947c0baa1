import { useEffect } from 'preact/hooks';
import type { EventsPage } from '../../contract/event.ts';
import type { Website } from '../../contract/website.ts';
import { call } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { forgetAnswers, useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Link } from '../components/Link.tsx';
import { NowDot } from '../components/NowDot.tsx';
import { Problem } from '../components/Problem.tsx';
import { clientOf, clientOfEvent } from '../people/origin.ts';
import { addressIn } from '../state/kept-view.ts';
import { FindingList } from './FindingList.tsx';
import { useCheck } from './use-check.ts';

/** Often enough for an event to be here within two seconds of the page's load; live streams look every two. */
const EVERY_MS = 1_000;
const SHOWN = 5;
/** Time in which a user who has just installed the script opens a page. */
const PATIENCE_MS = 12_000;

type Props = { website: Website; place: Place };

/** Listens for the first events, live, and says why when nothing arrives. */
export function Listening({ website, place }: Props) {
  const { answer, fault, retry } = useAnswer(
    `latest events ${website.id}`,
    (signal) =>
      call<EventsPage>('GET', '/latest', {
        signal,
        query: { trackingCode: website.trackingCode, limit: SHOWN },
      }),
    { everyMs: EVERY_MS },
  );
  const isListening = answer !== undefined;
  const total = answer?.pagination.total ?? 0;
  const hasEvents = total > 0;
  const { check, fault: checkFault, isBusy, run } = useCheck(website.id);
  // Checked when no event arrives, and once more after the first, which reports may leave out.
  useEffect(() => {
    if (!isListening) return;
    const timer = setTimeout(() => void run(), hasEvents ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isListening, hasEvents, run]);

  async function countLocalPages(): Promise<void> {
    const path = `/websites/${encodeURIComponent(website.id)}/settings`;
    await call('PATCH', path, { body: { leavesOutLocalPages: false } });
    forgetAnswers();
    await run();
  }

  return (
    <section class="card install-card" aria-labelledby="listening">
      <h2 id="listening">2. The first event</h2>
      <p class="listening" role="status">
        <NowDot isLive />
        {total === 0
          ? 'Waiting for the first event. Open a page of your website in another tab.'
          : `It works: ${total === 1 ? 'an event has' : 'events have'} arrived.`}
      </p>
      {fault && <Problem fault={fault} onRetry={retry} />}
      {hasEvents && (
        <>
          <ul class="arrivals">
            {answer?.events.map((event) => (
              <li key={event.id}>
                <time class="number quiet-text" dateTime={event.createdAt}>
                  {new Date(event.createdAt).toLocaleTimeString()}
                </time>
                <strong>{event.url}</strong>
                <span class="quiet-text">
                  {event.eventType} · {clientOf(clientOfEvent(event))}
                </span>
              </li>
            ))}
          </ul>
          <p class="quiet-text">
            Headless browsers and tools such as curl are listed too. They count as bots, which reports leave
            out.
          </p>
          <Link to={addressIn(place)} class="primary">
            See your reports
          </Link>
        </>
      )}
      <div class="install-check">
        {checkFault && <Problem fault={checkFault} />}
        {check && (
          <FindingList
            findings={check.findings}
            actions={{
              'left-out-local': <ActionButton onAct={countLocalPages}>Count local pages</ActionButton>,
            }}
          />
        )}
        <button type="button" class="quiet small" aria-busy={isBusy} onClick={() => void run()}>
          {isBusy ? 'Checking…' : 'Check now'}
        </button>
      </div>
    </section>
  );
}
