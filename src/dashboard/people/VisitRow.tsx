import type { ListedVisit } from '../../contract/metrics/visits.ts';
import { MINUTE_MS } from '../../vocabulary/durations.ts';
import { Link } from '../components/Link.tsx';
import { NowDot } from '../components/NowDot.tsx';
import { formatCountOf, formatDuration } from '../state/format.ts';
import { formatAgo, formatClock, formatInstant } from '../state/time-format.ts';
import { aliasOf } from './alias.ts';
import { Client } from './Client.tsx';
import { VisitorTile } from './VisitorTile.tsx';
import { VisitResult } from './VisitResult.tsx';
import { VisitTrail } from './VisitTrail.tsx';

type Props = {
  visit: ListedVisit;
  /** Address of the visitor. */
  to: string;
  timezone: string;
  nowMs: number;
  /** Duration that fills the bar, in seconds. */
  longestS: number;
};

const RECENT_MS = 60 * MINUTE_MS;
/** Time after its last event in which a visitor counts as present. */
const PRESENT_MS = 5 * MINUTE_MS;

/** A visit on one line: who, from where over what to where, with which result, and how long. */
export function VisitRow({ visit, to, timezone, nowMs, longestS }: Props) {
  const { visitorId, endedAt, duration, pageviews } = visit;
  const sinceMs = nowMs - Date.parse(endedAt);
  return (
    <li>
      <VisitorTile id={visitorId} />
      <span class="visit-who">
        <Link to={to} class="people-main" title={visitorId}>
          {aliasOf(visitorId).name}
        </Link>
        <span class="visit-client quiet-text">
          <Client of={visit} />
        </span>
      </span>
      <VisitTrail visit={visit} />
      <VisitResult visit={visit} />
      <span class="visit-length number quiet-text" title={formatCountOf(pageviews, 'views')}>
        {formatDuration(duration)}
        <i style={{ width: `${longestS > 0 ? Math.min(1, duration / longestS) * 100 : 0}%` }} />
      </span>
      <time class="people-time number quiet-text" dateTime={endedAt} title={formatInstant(endedAt, timezone)}>
        {sinceMs < PRESENT_MS && <NowDot isLive />}{' '}
        {sinceMs < RECENT_MS ? formatAgo(Date.parse(endedAt), nowMs) : formatClock(endedAt, timezone)}
      </time>
    </li>
  );
}
