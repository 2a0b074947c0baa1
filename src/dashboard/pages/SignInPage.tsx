import { useState } from 'preact/hooks';
import type { Registered, Setup } from '../../contract/account.ts';
import { AccountFields, logIn, register } from '../account/AccountFields.tsx';
import { call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { toHref } from '../browser/base-path.ts';
import { navigate } from '../browser/router.ts';
import { useTitle } from '../browser/use-title.ts';
import { Check, Field, Form } from '../components/Form.tsx';
import { Problem } from '../components/Problem.tsx';
import { createWebsite, WebsiteFields } from '../websites/AddWebsite.tsx';

/** Page of users who are not logged in: set-up on a new server, or else the login. The address stays. */
export function SignInPage({ isExpired }: { isExpired: boolean }) {
  const { answer, fault, retry } = useAnswer('setup', () => call<Setup>('GET', '/auth/setup'));
  const [isKnown, setKnown] = useState(false);
  return (
    <main class="page narrow door" id="main">
      <p class="brand">
        <img src={toHref('/favicon.svg')} alt="" width="30" height="30" /> Pagemeter
      </p>
      {fault && !answer && <Problem fault={fault} onRetry={retry} />}
      {answer?.needsSetup && !isKnown && (
        <SetupForm needsCode={answer.needsCode} onLogin={() => setKnown(true)} />
      )}
      {answer && (isKnown || !answer.needsSetup) && (
        <LoginForm isExpired={isExpired} isOpen={answer.registration === 'open'} />
      )}
    </main>
  );
}

/** Account and first website in one form. Completed steps stay when a later one is rejected. */
function SetupForm({ needsCode, onLogin }: { needsCode: boolean; onLogin: () => void }) {
  useTitle('Set-up');
  const [registered, setRegistered] = useState<Registered>();

  async function send(values: Record<string, string>): Promise<void> {
    const { email = '', password = '', domain = '', name = '', timezone, setupCode, others } = values;
    const setup = { othersMayRegister: others === 'on', ...(setupCode !== undefined && { setupCode }) };
    const account = registered ?? (await register(email, password, setup));
    setRegistered(account);
    const website = await createWebsite({ domain, name, timezone }, account.tokens.accessToken);
    session.begin(account.user.email, account.tokens);
    navigate(`/websites/${website.id}/install`);
  }

  return (
    <>
      <h1>Web analytics on your own server.</h1>
      <p class="quiet-text">
        One process, one file, one script tag. No cookies, and nothing is sent to anyone else. This account
        becomes the owner.
      </p>
      <Form action="Create account and website" onSend={send}>
        {registered ? (
          <p class="note">Your account {registered.user.email} was created.</p>
        ) : (
          <>
            {needsCode && (
              <Field
                name="setupCode"
                label="Set-up code"
                autocomplete="off"
                hint="The server printed it when it started: look in its terminal or log."
              />
            )}
            <AccountFields isNew />
          </>
        )}
        <WebsiteFields />
        {!registered && <Check name="others">Let other people create accounts</Check>}
      </Form>
      {needsCode && (
        <button type="button" class="plain" onClick={onLogin}>
          Log in instead
        </button>
      )}
    </>
  );
}

type LoginFormProps = { isExpired: boolean; isOpen: boolean };

function LoginForm({ isExpired, isOpen }: LoginFormProps) {
  const [isNew, setNew] = useState(false);
  useTitle(isNew ? 'Create an account' : 'Log in');
  return (
    <>
      <h1>{isNew ? 'Create an account' : 'Log in'}</h1>
      {isExpired && <p class="note">Your session has expired. Log in again to continue.</p>}
      <Form
        key={String(isNew)}
        action={isNew ? 'Create account' : 'Log in'}
        onSend={async ({ email = '', password = '' }) => {
          const { user, tokens } = await (isNew ? register(email, password) : logIn(email, password));
          session.begin(user.email, tokens);
        }}
        aside={
          isOpen && (
            <button type="button" class="plain" onClick={() => setNew(!isNew)}>
              {isNew ? 'Log in instead' : 'Create an account'}
            </button>
          )
        }
      >
        <AccountFields isNew={isNew} />
      </Form>
    </>
  );
}
