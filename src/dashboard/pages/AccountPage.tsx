import { useState } from 'preact/hooks';
import type { ApiKeyCreated, ApiKeyList, Profile } from '../../contract/account.ts';
import {
  API_KEY_SCOPES,
  type ApiKeyScope,
  NAME_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
} from '../../vocabulary/contract.ts';
import { NewPassword, requireUncommon } from '../account/NewPassword.tsx';
import { RegistrationCard } from '../account/RegistrationCard.tsx';
import { SessionsCard } from '../account/SessionsCard.tsx';
import { ApiError, call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { toHref } from '../browser/base-path.ts';
import { useTitle } from '../browser/use-title.ts';
import { announce } from '../components/Announcer.tsx';
import { CopyButton } from '../components/CopyButton.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Check, Field, Form } from '../components/Form.tsx';
import { Frame } from '../components/Frame.tsx';
import { Problem } from '../components/Problem.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { SettingsSections } from '../components/SettingsSections.tsx';
import { PeopleCards } from '../members/PeopleCards.tsx';
import { formatAgo } from '../state/time-format.ts';

/** The signed-in user's profile, people and API keys. */
export function AccountPage() {
  useTitle('Account');
  const [revoked, setRevoked] = useState(0);
  const { answer, fault, retry } = useAnswer('account', (signal) =>
    call<Profile>('GET', '/auth/me', { signal }),
  );
  return (
    <Frame>
      <div class="page settings">
        <h1>Account</h1>
        {fault && <Problem fault={fault} onRetry={retry} />}
        {answer && (
          <SettingsSections>
            <SettingsCard title="Profile">
              <p>{answer.user.email}</p>
              <Form
                action="Save"
                isKept
                onSend={async ({ name = '' }) => {
                  await call('PATCH', '/auth/me', { body: { name } });
                  retry();
                }}
              >
                <Field
                  name="name"
                  label="Name"
                  value={answer.user.name ?? ''}
                  autocomplete="name"
                  maxLength={NAME_LENGTH_MAX}
                />
              </Form>
            </SettingsCard>
            <PasswordCard onKeysRevoked={() => setRevoked((count) => count + 1)} />
            <SessionsCard />
            <PeopleCards />
            <RegistrationCard />
            <ApiKeysCard key={revoked} />
            <DeleteCard email={answer.user.email} />
          </SettingsSections>
        )}
      </div>
    </Frame>
  );
}

function PasswordCard({ onKeysRevoked }: { onKeysRevoked: () => void }) {
  const [isDone, setDone] = useState<'with keys' | 'alone'>();
  return (
    <SettingsCard title="Password">
      {isDone && (
        <p class="note" role="status">
          {isDone === 'with keys'
            ? 'Password changed. You are logged out everywhere else, and your API keys are revoked.'
            : 'Password changed. You are logged out everywhere else.'}
        </p>
      )}
      <Form
        key={isDone}
        action="Change password"
        onSend={async ({ currentPassword, newPassword = '', ...values }) => {
          await requireUncommon('newPassword', newPassword);
          const revokeApiKeys = values.revokeApiKeys === 'on';
          const body = { currentPassword, newPassword, revokeApiKeys };
          await call('PUT', '/auth/password', { body }).catch(atField('currentPassword'));
          setDone(revokeApiKeys ? 'with keys' : 'alone');
          if (revokeApiKeys) onKeysRevoked();
        }}
      >
        <Field
          name="currentPassword"
          label="Current password"
          type="password"
          autocomplete="current-password"
          maxLength={PASSWORD_LENGTH_MAX}
        />
        <NewPassword
          name="newPassword"
          label="New password"
          hint="At least 8 characters, one of them uppercase. Logs you out everywhere else."
        />
        <Check name="revokeApiKeys">Also revoke all API keys</Check>
      </Form>
    </SettingsCard>
  );
}

/** Moves the rejection of a wrong password, which names no field, to its field. */
function atField(field: string) {
  return (error: unknown): never => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new ApiError(401, error.code, error.message, { [field]: [error.message] });
  };
}

const SCOPE_NAMES: Record<ApiKeyScope, string> = {
  read: 'Read reports and events',
  write: 'Change websites and settings',
  events: 'Send events from a server, including past ones',
};

function ApiKeysCard() {
  const { answer, fault, retry } = useAnswer('api keys', (signal) =>
    call<ApiKeyList>('GET', '/auth/api-keys', { signal }),
  );
  const [created, setCreated] = useState<ApiKeyCreated>();
  const [nowMs] = useState(Date.now);
  return (
    <SettingsCard title="API keys">
      <p>
        For scripts and programs: send <code>Authorization: Bearer pk_…</code>. See the{' '}
        <a href={toHref('/docs')}>API</a>.
      </p>
      {created && (
        <div class="note" role="status">
          <p>Copy this key now: it is shown only once.</p>
          <p class="copy-line">
            <code id="new-key">{created.key}</code>
            <CopyButton text={created.key} sourceId="new-key" />
          </p>
        </div>
      )}
      {fault && <Problem fault={fault} onRetry={retry} />}
      <ul class="key-list">
        {answer?.apiKeys.map(({ id, name, prefix, scopes, lastUsedAt, expiresAt }) => (
          <li key={id}>
            <div>
              <strong>{name}</strong> <code>{prefix}…</code>
              <p class="quiet-text">
                {scopes.join(', ')} ·{' '}
                {lastUsedAt ? `used ${formatAgo(Date.parse(lastUsedAt), nowMs)}` : 'never used'}
                {expiresAt && ` · expires ${formatAgo(Date.parse(expiresAt), nowMs)}`}
              </p>
            </div>
            <button
              type="button"
              class="quiet small"
              onClick={async () => {
                await call('DELETE', `/auth/api-keys/${id}`).catch(() => {}); // the list shows whether it was revoked
                announce(`The key ${name} is revoked.`);
                retry();
              }}
            >
              Revoke<span class="unseen"> {name}</span>
            </button>
          </li>
        ))}
      </ul>
      <Form
        key={created?.apiKey.id}
        action="Create key"
        fieldOf={{ name: 'keyName' }}
        onSend={async ({ keyName = '', ...values }) => {
          const scopes = API_KEY_SCOPES.filter((scope) => values[scope] === 'on');
          const body = { name: keyName, scopes };
          setCreated(await call<ApiKeyCreated>('POST', '/auth/api-keys', { body }));
          retry();
        }}
      >
        <Field name="keyName" label="Key name" autocomplete="off" maxLength={NAME_LENGTH_MAX} />
        <fieldset class="checks">
          <legend>Permissions</legend>
          {API_KEY_SCOPES.map((scope) => (
            <Check key={scope} name={scope} isChecked={scope === 'read'}>
              {SCOPE_NAMES[scope]}
            </Check>
          ))}
        </fieldset>
      </Form>
    </SettingsCard>
  );
}

function DeleteCard({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingsCard title="Delete account">
      <button type="button" class="quiet danger-text" onClick={() => setOpen(true)}>
        Delete account…
      </button>
      {isOpen && (
        <DangerDialog
          title="Delete your account?"
          action="Delete permanently"
          fields={
            <Field
              name="password"
              label="Your password"
              type="password"
              autocomplete="current-password"
              maxLength={PASSWORD_LENGTH_MAX}
            />
          }
          onAct={async ({ password }) => {
            await call('DELETE', '/auth/me', { body: { password } }).catch(atField('password'));
            session.end();
          }}
          onClose={() => setOpen(false)}
        >
          The account {email}, all its websites and all their events are permanently deleted. Only a backup
          can bring them back.
        </DangerDialog>
      )}
    </SettingsCard>
  );
}
