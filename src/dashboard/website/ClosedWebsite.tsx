import type { ApiError } from '../api/client.ts';
import { type Place, unlock } from '../api/place.ts';
import { askAgain } from '../api/use-answer.ts';
import { Field, Form } from '../components/Form.tsx';
import { Frame } from '../components/Frame.tsx';
import { Link } from '../components/Link.tsx';

/** Whether a website is unavailable: unknown, of another account, or not public. */
export function isClosed(fault: ApiError | undefined): boolean {
  return fault !== undefined && [401, 403, 404].includes(fault.status);
}

type Props = { place: Place; fault: ApiError | undefined };

/** Replaces a page whose every part would show the same fault. */
export function ClosedWebsite({ place, fault }: Props) {
  if (place.share !== undefined) return <ClosedLink share={place.share} reason={fault?.message ?? ''} />;
  return (
    <Frame>
      <div class="page narrow">
        <h1>{place.withLogin ? 'Website not found' : 'These reports are not public'}</h1>
        <p>
          {place.withLogin
            ? 'It was deleted, belongs to another account, or the address is incomplete.'
            : 'The website does not exist, or its owner keeps its reports private.'}
        </p>
        <p>
          {place.withLogin ? (
            <Link to="/">All websites</Link>
          ) : (
            <Link to={`/websites/${encodeURIComponent(place.websiteId)}`}>Log in as the owner</Link>
          )}
        </p>
      </div>
    </Frame>
  );
}

/** Says why a share link opens nothing, or asks for its password. */
function ClosedLink({ share, reason }: { share: string; reason: string }) {
  const isLocked = reason.endsWith('needs a password');
  return (
    <Frame>
      <div class="page narrow">
        <h1>{isLocked ? 'Enter the password' : 'This link is closed'}</h1>
        <p>{isLocked ? 'The person who sent you this link knows its password.' : `${reason}.`}</p>
        {isLocked ? (
          <Form
            action="Open"
            onSend={async ({ password = '' }) => {
              await unlock(share, password);
              askAgain();
            }}
          >
            <Field name="password" label="Password" type="password" autocomplete="off" />
          </Form>
        ) : (
          <p>Ask the person who sent it for another one.</p>
        )}
      </div>
    </Frame>
  );
}
