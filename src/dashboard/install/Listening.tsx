import type { EventsPage } from '../../contract/event.ts';
import type { Website } from '../../contract/website.ts';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Link } from '../components/Link.tsx';
import { Problem } from '../components/Problem.tsx';
import { clientOf } from '../people/origin.ts';
import type { Place } from '../website/place.ts';

const EVERY_MS = 2_000;
const SHOWN = 5;

type Props = { website: Website; place: Place };

/** Listens for the first events, live. */
export function Listening({ website, place }: Props) {
  const { answer, fault, retry } = useAnswer(
    `latest events ${website.id}`,
    (signal) =>
      call<EventsPage>('GET', '/events', {
        signal,
        query: { trackingCode: website.trackingCode, limit: SHOWN },
      }),
    { everyMs: EVERY_MS },
  );
  const total = answer?.pagination.total ?? 0;
  return (
    <section class="card install-card" aria-labelledby="listening">
      <h2 id="listening">2. The first event</h2>
      <p class="listening" role="status">
        <span class="now-dot live" />
        {total === 0
          ? 'Listening. Open a page of your website in another tab.'
          : `It works: ${total === 1 ? 'an event has' : 'events have'} arrived.`}
      </p>
      {fault && <Problem fault={fault} onRetry={retry} />}
      {total > 0 && (
        <>
          <ul class="arrivals">
            {answer?.events.map((event) => (
              <li key={event.id}>
                <time class="number quiet-text" dateTime={event.createdAt}>
                  {new Date(event.createdAt).toLocaleTimeString()}
                </time>
                <strong>{event.url}</strong>
                <span class="quiet-text">
                  {event.eventType} ·{' '}
                  {clientOf({
                    country: event.location ?? null,
                    browser: event.browser ?? null,
                    os: event.os ?? null,
                    deviceType: event.deviceType ?? null,
                  })}
                </span>
              </li>
            ))}
          </ul>
          <Link to={place.base} class="primary">
            See the figures
          </Link>
        </>
      )}
    </section>
  );
}
