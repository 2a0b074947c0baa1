import { useState } from 'preact/hooks';
import type { ListedVisit } from '../../contract/metrics/visits.ts';
import type { ApiError } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { Link } from '../components/Link.tsx';
import { MiddleText } from '../components/MiddleText.tsx';
import { Problem } from '../components/Problem.tsx';
import { aliasOf } from '../people/alias.ts';
import { Client } from '../people/Client.tsx';
import { EVENT_WORDS } from '../people/origin.ts';
import { Source } from '../people/Source.tsx';
import { VisitorTile } from '../people/VisitorTile.tsx';
import { VisitResult } from '../people/VisitResult.tsx';
import { addressIn } from '../state/kept-view.ts';
import { formatAgo } from '../state/time-format.ts';
import { useIsLater } from './use-is-later.ts';

type Props = {
  /** Undefined until they are loaded. */
  visits: readonly ListedVisit[] | undefined;
  isFiltered: boolean;
  /** Why loading them failed. */
  fault: ApiError | undefined;
  onRetry: () => void;
  place: Place;
  nowMs: number;
};

/** Latest events of a visit that are shown. */
const STEPS = 4;

/** The latest visits, a card for each, which grows with what happens. */
export function Feed({ visits, isFiltered, fault, onRetry, place, nowMs }: Props) {
  const isLoading = !visits && !fault;
  const isLive = useIsLater(visits !== undefined);
  return (
    <section class="card panel feed" aria-labelledby="feed-title" aria-busy={isLoading}>
      <h2 id="feed-title">Latest visits</h2>
      {isLoading && <p class="panel-empty">Loading…</p>}
      {fault && !visits && <Problem fault={fault} onRetry={onRetry} />}
      {visits?.length === 0 && (
        <p class="panel-empty">
          {isFiltered ? 'None of the latest visits matches the filters.' : 'No events in the last 24 hours.'}
        </p>
      )}
      <ol class="feed-list">
        {visits?.map((visit) => (
          <FeedCard
            key={`${visit.visitorId} ${visit.startedAt}`}
            visit={visit}
            to={addressIn(place, `/visitors/${encodeURIComponent(visit.visitorId)}`)}
            nowMs={nowMs}
            isLive={isLive}
          />
        ))}
      </ol>
    </section>
  );
}

type CardProps = {
  visit: ListedVisit;
  to: string;
  nowMs: number;
  /** Other visits were shown before this one. */
  isLive: boolean;
};

function FeedCard({ visit, to, nowMs, isLive }: CardProps) {
  const { visitorId, endedAt, steps } = visit;
  // What the first answer has is not new.
  const [known] = useState(isLive ? { goals: [], steps: 0 } : { goals: visit.goals, steps: steps.length });
  const earlier = Math.max(0, steps.length - STEPS);
  return (
    <li class={known.steps === 0 ? 'new' : undefined}>
      <VisitorTile id={visitorId} />
      <span class="feed-who">
        <Link to={to} class="feed-what" title={visitorId}>
          {aliasOf(visitorId).name}
        </Link>
        <span class="feed-client quiet-text">
          <Client of={visit} />
        </span>
      </span>
      <time class="quiet-text number" dateTime={endedAt}>
        {formatAgo(Date.parse(endedAt), nowMs)}
      </time>
      <ol class="feed-steps">
        <li class="quiet-text">
          <Source of={visit} />
          {earlier > 0 && `, ${earlier} earlier`}
        </li>
        {steps.slice(-STEPS).map(({ createdAt, eventType, page, name }, index) => (
          <li
            key={`${createdAt} ${earlier + index}`}
            class={earlier + index >= known.steps ? 'new' : undefined}
          >
            <span class="quiet-text">{EVENT_WORDS[eventType]} </span>
            <MiddleText text={name ?? page} />
          </li>
        ))}
      </ol>
      <VisitResult visit={visit} known={known.goals} />
    </li>
  );
}
