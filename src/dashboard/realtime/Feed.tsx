import type { ApiError } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { Link } from '../components/Link.tsx';
import { Problem } from '../components/Problem.tsx';
import { Client } from '../people/Client.tsx';
import { clientOfEvent, EVENT_WORDS } from '../people/origin.ts';
import { addressIn } from '../state/kept-view.ts';
import { formatAgo } from '../state/time-format.ts';
import type { FeedAnswer } from './use-feed.ts';

type Props = {
  answer: FeedAnswer | undefined;
  /** Why loading the events failed. */
  fault: ApiError | undefined;
  onRetry: () => void;
  place: Place;
  nowMs: number;
};

/** The latest events; each links to its session. */
export function Feed({ answer, fault, onRetry, place, nowMs }: Props) {
  const isLoading = !answer && !fault;
  const none = answer?.isFiltered
    ? 'None of the latest events matches the filters.'
    : 'No events in the last 24 hours.';
  return (
    <section class="card panel feed" aria-labelledby="feed-title" aria-busy={isLoading}>
      <h2 id="feed-title">Latest events</h2>
      {isLoading && <p class="panel-empty">Loading…</p>}
      {fault && !answer && <Problem fault={fault} onRetry={onRetry} />}
      {answer?.events.length === 0 && <p class="panel-empty">{none}</p>}
      <ol class="feed-list">
        {answer?.events.map((event) => (
          <li key={event.id}>
            <Link
              to={addressIn(place, `/sessions/${encodeURIComponent(event.sessionId)}`)}
              class="feed-what"
              aria-label={`${EVENT_WORDS[event.eventType]} ${event.name ?? pathOf(event.url)}: its session`}
            >
              <span class="quiet-text">{EVENT_WORDS[event.eventType]}</span>{' '}
              <strong dir="auto">{event.name ?? pathOf(event.url)}</strong>
            </Link>
            <time class="quiet-text number" dateTime={event.createdAt}>
              {formatAgo(Date.parse(event.createdAt), nowMs)}
            </time>
            <span class="feed-client quiet-text">
              <Client of={clientOfEvent(event)} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Decoded path of an address. */
function pathOf(address: string): string {
  try {
    return decodeURI(new URL(address).pathname);
  } catch {
    return address;
  }
}
