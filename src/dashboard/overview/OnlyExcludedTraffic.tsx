import type { Totals } from '../../contract/metrics/stats.ts';
import { ask, type Place } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Link } from '../components/Link.tsx';
import { formatCountLong } from '../state/format.ts';
import { addressIn } from '../state/kept-view.ts';
import { useHasRole } from '../state/own-access.ts';

/** Explains why no event counts when every event so far is from bots, excluded addresses or local pages. */
export function OnlyExcludedTraffic({ place }: { place: Place }) {
  const mayEdit = useHasRole('editor');
  const { answer } = useAnswer(`left out ${place.base}`, async (signal) => {
    const count = async (traffic: string) =>
      (await ask<Totals>(place, '/stats', { period: 'all', traffic }, signal)).events;
    const [counted, bots, all] = await Promise.all([count('people'), count('bots'), count('all')]);
    return { counted, bots, all };
  });
  if (!answer || answer.counted > 0 || answer.all === 0) return null;
  const { bots, all } = answer;
  const reasons = [
    bots > 0 && `${formatCountLong(bots)} from bots`,
    all > bots && `${formatCountLong(all - bots)} from excluded addresses or local pages`,
  ];
  return (
    <section class="note empty-note">
      <p>
        <strong>Events arrived, but all of them are left out:</strong> {reasons.filter(Boolean).join(', ')}.
        They are stored and left out of all reports. Open your website in an ordinary browser
        {all > bots && ', from another network and under its public address'}.
      </p>
      {mayEdit && !place.isPublic && all > bots && (
        <Link to={addressIn(place, '/settings')} class="quiet">
          What is left out
        </Link>
      )}
    </section>
  );
}
