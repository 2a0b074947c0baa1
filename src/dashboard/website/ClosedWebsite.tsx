import type { ApiError } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { Frame } from '../components/Frame.tsx';
import { Link } from '../components/Link.tsx';

/** Whether a website is unavailable: unknown, of another account, or not public. */
export function isClosed(fault: ApiError | undefined): boolean {
  return fault !== undefined && [401, 403, 404].includes(fault.status);
}

/** Replaces a page whose every part would show the same fault. */
export function ClosedWebsite({ place }: { place: Place }) {
  return (
    <Frame>
      <div class="page narrow">
        <h1>{place.withLogin ? 'Website not found' : 'These reports are not public'}</h1>
        <p>
          {!place.withLogin
            ? 'The website does not exist, or its owner keeps its reports private.'
            : 'It was deleted, belongs to another account, or the address is incomplete.'}
        </p>
        <p>
          {!place.withLogin ? (
            <Link to={`/websites/${encodeURIComponent(place.websiteId)}`}>Log in as the owner</Link>
          ) : (
            <Link to="/">All websites</Link>
          )}
        </p>
      </div>
    </Frame>
  );
}
