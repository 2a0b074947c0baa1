import type { LoggedIn, Registered } from '../../contract/account.ts';
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import { Field } from '../components/Form.tsx';
import { NewPassword, requireUncommon } from './NewPassword.tsx';

/** Address and password, of a new account or an existing one. */
export function AccountFields({ isNew }: { isNew: boolean }) {
  return (
    <>
      <Field name="email" label="E-mail" type="email" autocomplete="username" maxLength={EMAIL_LENGTH_MAX} />
      {isNew ? (
        <NewPassword name="password" label="Password" hint="At least 8 characters, one of them uppercase." />
      ) : (
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          maxLength={PASSWORD_LENGTH_MAX}
        />
      )}
    </>
  );
}

/** Fields of the first account of a server, and of one that an invitation admits. */
type Extra = { othersMayRegister?: boolean; setupCode?: string; invitation?: string };

/** Registers an account. The caller begins the session. */
export async function register(email: string, password: string, extra?: Extra): Promise<Registered> {
  await requireUncommon('password', password);
  return call('POST', '/auth/register', { body: { email, password, ...extra }, withLogin: false });
}

export const logIn = (email: string, password: string) =>
  call<LoggedIn>('POST', '/auth/login', { body: { email, password }, withLogin: false });
