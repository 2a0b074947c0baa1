import { useState } from 'preact/hooks';
import type { LoggedIn, Registered, Setup } from '../../contract/account.ts';
import { call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Field, Form } from '../components/Form.tsx';
import { Problem } from '../components/Problem.tsx';
import { useTitle } from '../use-title.ts';

/** What somebody sees who is not logged in: on a new server the set-up, else the login. The address stays. */
export function DoorPage({ isExpired }: { isExpired: boolean }) {
  const { answer, fault, retry } = useAnswer('setup', () => call<Setup>('GET', '/auth/setup'));
  const [mode, setMode] = useState<'login' | 'register'>('login');
  const isNew = answer?.needsSetup === true;
  useTitle(isNew ? 'Set-up' : 'Log in');
  if (fault) return <Problem fault={fault} onRetry={retry} />;
  if (!answer) return <main class="page" aria-busy="true" />;
  const isRegistering = isNew || mode === 'register';

  async function send({ email = '', password = '' }: Record<string, string>): Promise<void> {
    const { user, tokens } = await call<LoggedIn | Registered>(
      'POST',
      isRegistering ? '/auth/register' : '/auth/login',
      { body: { email, password }, withLogin: false },
    );
    session.begin(user.email, tokens);
  }

  return (
    <main class="page narrow" id="main">
      <h1>{isNew ? 'Welcome to Pagemeter' : isRegistering ? 'Create an account' : 'Log in'}</h1>
      {isExpired && <p class="note">Your login has expired. Log in again to go on where you were.</p>}
      <Form key={mode} action={isRegistering ? 'Create account' : 'Log in'} onSend={send}>
        <Field name="email" label="E-mail" type="email" autocomplete="username" maxLength={254} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete={isRegistering ? 'new-password' : 'current-password'}
          maxLength={128}
          hint={isRegistering && 'At least 8 characters, one of them uppercase.'}
        />
      </Form>
      {!isNew && answer.registration === 'open' && (
        <button type="button" class="plain" onClick={() => setMode(isRegistering ? 'login' : 'register')}>
          {isRegistering ? 'Log in instead' : 'Create an account'}
        </button>
      )}
    </main>
  );
}
