import { useEffect, useState } from 'preact/hooks';
import type { Invitation } from '../../contract/member.ts';
import { AccountFields, logIn, register } from '../account/AccountFields.tsx';
import { call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { forgetAnswers, useAnswer } from '../api/use-answer.ts';
import { useSession } from '../api/use-session.ts';
import { toHref } from '../browser/base-path.ts';
import { navigate } from '../browser/router.ts';
import { useTitle } from '../browser/use-title.ts';
import { announce } from '../components/Announcer.tsx';
import { Form } from '../components/Form.tsx';
import { Link } from '../components/Link.tsx';
import { Problem } from '../components/Problem.tsx';
import { listSections, ROLE_HINTS, ROLE_NAMES } from '../members/role-words.ts';
import { formatCountLong } from '../state/format.ts';
import { formatDays } from '../state/time-format.ts';

/** Page of an invitation, `/join#TOKEN`: what it is for, and how to accept it with or without an account. */
export function JoinPage() {
  useTitle('Invitation');
  const token = useToken();
  const { answer, fault, retry } = useAnswer(`invitation ${token}`, (signal) =>
    call<Invitation>('POST', '/invitations/preview', { body: { token }, withLogin: false, signal }),
  );
  const isClosed = token === '' || (fault !== undefined && [400, 404].includes(fault.status));
  return (
    <main class="page narrow door" id="main">
      <p class="brand">
        <img src={toHref('/favicon.svg')} alt="" width="30" height="30" /> Pagemeter
      </p>
      {isClosed && <ClosedInvitation reason={token === '' ? '' : (fault?.message ?? '')} />}
      {fault && !isClosed && <Problem fault={fault} onRetry={retry} />}
      {answer && !isClosed && <OpenInvitation token={token} invitation={answer} />}
    </main>
  );
}

/** The part after `#`, which browsers do not send to servers. */
function useToken(): string {
  const read = () => location.hash.slice(1);
  const [token, setToken] = useState(read);
  useEffect(() => {
    const follow = () => setToken(read());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return token;
}

function ClosedInvitation({ reason }: { reason: string }) {
  const isExpired = reason.includes('expired');
  return (
    <>
      <h1>{isExpired ? 'This invitation has expired' : 'This invitation cannot be used'}</h1>
      <p>
        {isExpired
          ? 'An invitation is valid for seven days. Ask the person who sent it for another one.'
          : 'It was used or withdrawn, or its address is incomplete. Copy the whole link, or ask the person who sent it for another one.'}
      </p>
      <p>
        <Link to="/">{session.get().login ? 'Your websites' : 'Log in'}</Link>
      </p>
    </>
  );
}

type OpenProps = { token: string; invitation: Invitation };

function OpenInvitation({ token, invitation }: OpenProps) {
  const { login } = useSession();
  const [reason, setReason] = useState('');
  const { account, role } = invitation;
  const sender = account.name ?? account.email;
  return (
    <>
      <h1>
        {role === 'owner' ? (
          <>
            <bdi>{sender}</bdi> hands a website over to you
          </>
        ) : (
          <>
            <bdi>{sender}</bdi> invites you
          </>
        )}
      </h1>
      <Offer invitation={invitation} />
      {!login && <NewcomerForm token={token} onRefused={setReason} />}
      {login && login.email === account.email && <SenderNote email={login.email} />}
      {login && login.email !== account.email && (
        <Form
          action={role === 'owner' ? 'Take it over' : 'Accept'}
          onSend={() => accept(token)}
          aside={<OtherAccount />}
        >
          {reason && <p class="fault">{reason}.</p>}
          <p>
            You are logged in as <bdi>{login.email}</bdi>. <Link to="/">Your websites</Link>
          </p>
        </Form>
      )}
    </>
  );
}

function Offer({
  invitation: { account, role, websites, websiteTotal, hides, isBound, expiresAt },
}: {
  invitation: Invitation;
}) {
  const more = websiteTotal - websites.length;
  return (
    <>
      <ul>
        {websites.map((name, index) => (
          <li key={index}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {more > 0 && <li>and {formatCountLong(more)} more</li>}
      </ul>
      {role === 'owner' ? (
        <p>
          The website moves to your account with all its events. <bdi>{account.email}</bdi> and the people of
          that account lose it.
        </p>
      ) : (
        <p>
          Your role: <strong>{ROLE_NAMES[role]}</strong>. {ROLE_HINTS[role]}
        </p>
      )}
      {hides.length > 0 && <p>Hidden from you: {listSections(hides)}.</p>}
      <p class="quiet-text">
        Valid for one use until {formatDays(expiresAt.slice(0, 10), expiresAt.slice(0, 10))}
        {isBound && ', for the e-mail address that it was made for'}.
      </p>
    </>
  );
}

/** Registers, also where registration is closed, or logs in; either way the invitation is accepted with it. */
function NewcomerForm({ token, onRefused }: { token: string; onRefused: (reason: string) => void }) {
  const [isNew, setNew] = useState(true);
  return (
    <Form
      key={String(isNew)}
      action={isNew ? 'Create account and accept' : 'Log in and accept'}
      onSend={async ({ email = '', password = '' }) => {
        if (isNew) {
          const { user, tokens } = await register(email, password, { invitation: token });
          session.begin(user.email, tokens);
          showWebsites();
          return;
        }
        const { user, tokens } = await logIn(email, password);
        session.begin(user.email, tokens);
        // The form is gone with the login: the page says why the invitation was refused.
        await accept(token).catch(({ message }: Error) => onRefused(message));
      }}
      aside={
        <button type="button" class="plain" onClick={() => setNew(!isNew)}>
          {isNew ? 'I have an account' : 'Create an account'}
        </button>
      }
    >
      <AccountFields isNew={isNew} />
    </Form>
  );
}

function SenderNote({ email }: { email: string }) {
  return (
    <>
      <p class="note">
        This is your own invitation: you are logged in as <bdi>{email}</bdi>. Send the link to the person whom
        you want to invite; it works once.
      </p>
      <div class="form-end">
        <Link to="/account">People of your account</Link>
        <OtherAccount />
      </div>
    </>
  );
}

function OtherAccount() {
  return (
    <button type="button" class="plain" onClick={() => session.end()}>
      Use another account
    </button>
  );
}

async function accept(token: string): Promise<void> {
  await call('POST', '/invitations/accept', { body: { token } });
  showWebsites();
}

function showWebsites(): void {
  forgetAnswers();
  announce('Accepted.');
  navigate('/', { replace: true });
}
