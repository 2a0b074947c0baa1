import type { LoggedIn, Profile, Registered } from '../../contract/account.ts';
import { call, Refusal } from './api.ts';
import { element, part } from './dom.ts';
import { onSubmit } from './form.ts';
import type { Session } from './session.ts';

type Options = { session: Session; onLogin: () => void; onLogout: () => void };

/** Step 1: create an account or log in. */
export function accountStep({ session, onLogin, onLogout }: Options) {
  const step = element('account');
  const form = part(step, 'form', HTMLFormElement);
  const password = element('password', HTMLInputElement);

  form.addEventListener('change', showMode);
  onSubmit(form, async ({ mode, email, password }) => {
    const { user, tokens } = await call<LoggedIn | Registered>('POST', `/auth/${mode}`, {
      body: { email, password },
    });
    session.set(tokens.accessToken);
    form.reset();
    showMode();
    showDone(user.email, 'apiKey' in user ? user.apiKey : undefined);
    onLogin();
  });
  element('logout').addEventListener('click', () => {
    call('POST', '/auth/logout', { token: session.token }).catch(() => {}); // it is over here in any case
    logOut();
  });

  function showMode(): void {
    const isNew = new FormData(form).get('mode') === 'register';
    part(form, 'button').textContent = isNew ? 'Create account' : 'Log in';
    password.autocomplete = isNew ? 'new-password' : 'current-password';
    element('password-hint').hidden = !isNew;
  }

  function showDone(email: string, apiKey?: string): void {
    element('who').textContent = email;
    element('key').textContent = apiKey ?? '';
    element('key-note').hidden = apiKey === undefined;
    form.hidden = true;
    part(step, '.done').hidden = false;
  }

  function logOut(): void {
    session.set(undefined);
    element('key').textContent = '';
    form.hidden = false;
    part(step, '.done').hidden = true;
    onLogout();
  }

  return {
    logOut,
    /** Goes on with the token of before a reload, if it still is one. */
    async resume(): Promise<void> {
      if (!session.token) return;
      try {
        const { user } = await call<Profile>('GET', '/auth/me', { token: session.token });
        showDone(user.email);
        onLogin();
      } catch (error) {
        if (error instanceof Refusal && error.status !== 0) session.set(undefined);
      }
    },
  };
}
