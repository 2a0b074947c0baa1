import type { WebsiteProfile } from '../../contract/website-profile.ts';
import type { Place } from '../api/place.ts';
import { Link } from '../components/Link.tsx';
import { addressIn } from '../state/kept-view.ts';
import { hasRole } from '../state/own-access.ts';

/** Shown before the first event: what is missing, and where to get it. */
export function NoEventsYet({ place, profile }: { place: Place; profile: WebsiteProfile }) {
  return (
    <section class="note empty-note">
      <p>
        <strong>No events from {profile.name} yet.</strong> Reports appear here within seconds of the first
        pageview.
      </p>
      {!place.isPublic && hasRole(profile, 'editor') && (
        <Link to={addressIn(place, '/install')} class="primary">
          Install the script
        </Link>
      )}
    </section>
  );
}
