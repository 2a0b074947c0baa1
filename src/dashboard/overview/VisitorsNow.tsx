import type { Realtime } from '../../metrics/reports/realtime.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { Link } from '../components/Link.tsx';
import { NowDot } from '../components/NowDot.tsx';
import { formatCount } from '../state/format.ts';
import { addressIn } from '../state/kept-view.ts';

const EVERY_MS = 10_000;

/** Number of visitors now, as a link to the realtime page. */
export function VisitorsNow({ place }: { place: Place }) {
  const { answer } = useReport<Realtime>(place, '/stats/realtime', { limit: 1 }, { everyMs: EVERY_MS });
  return (
    <Link to={addressIn(place, '/realtime')} class="now">
      <NowDot isLive={Boolean(answer?.visitors)} />
      <span class="number">{answer ? formatCount(answer.visitors) : '–'}</span>
      <span class="now-words">{answer?.visitors === 1 ? 'visitor now' : 'visitors now'}</span>
    </Link>
  );
}
