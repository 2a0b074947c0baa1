import { useState } from 'preact/hooks';
import type { ApiKeyCreated, ApiKeyList, Profile } from '../../contract/account.ts';
import {
  API_KEY_SCOPES,
  type ApiKeyScope,
  NAME_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
} from '../../contract/vocabulary.ts';
import { RegistrationCard } from '../account/RegistrationCard.tsx';
import { SessionsCard } from '../account/SessionsCard.tsx';
import { ApiError, call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { CopyButton } from '../components/CopyButton.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Field, Form, LabelledControl } from '../components/Form.tsx';
import { Frame } from '../components/Frame.tsx';
import { Problem } from '../components/Problem.tsx';
import { toHref } from '../place.ts';
import { formatAgo } from '../time-format.ts';
import { useTitle } from '../use-title.ts';

/** Who one is here, and the keys that open it. */
export function AccountPage() {
  useTitle('Account');
  const [revoked, setRevoked] = useState(0);
  const { answer, fault, retry } = useAnswer('account', (signal) =>
    call<Profile>('GET', '/auth/me', { signal }),
  );
  return (
    <Frame>
      <div class="page narrow settings">
        <h1>Account</h1>
        {fault && <Problem fault={fault} onRetry={retry} />}
        {answer && (
          <>
            <section class="card settings-card">
              <h2>You</h2>
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
            </section>
            <PasswordCard onKeysRevoked={() => setRevoked((count) => count + 1)} />
            <SessionsCard />
            <RegistrationCard />
            <ApiKeysCard key={revoked} />
            <DeleteCard email={answer.user.email} />
          </>
        )}
      </div>
    </Frame>
  );
}

function PasswordCard({ onKeysRevoked }: { onKeysRevoked: () => void }) {
  const [isDone, setDone] = useState<'with keys' | 'alone'>();
  return (
    <section class="card settings-card">
      <h2>Password</h2>
      {isDone && (
        <p class="note" role="status">
          {isDone === 'with keys'
            ? 'The password is changed. Your other logins have ended, and your API keys are revoked.'
            : 'The password is changed. Your other logins have ended.'}
        </p>
      )}
      <Form
        key={isDone}
        action="Change password"
        onSend={async ({ currentPassword, newPassword, ...values }) => {
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
        <Field
          name="newPassword"
          label="New password"
          type="password"
          autocomplete="new-password"
          maxLength={PASSWORD_LENGTH_MAX}
          hint="At least 8 characters, one of them uppercase. Ends your other logins."
        />
        <label class="check">
          <input type="checkbox" name="revokeApiKeys" /> Also revoke all API keys
        </label>
      </Form>
    </section>
  );
}

/** A wrong password is a refusal without a field. */
function atField(field: string) {
  return (error: unknown): never => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new ApiError(401, error.code, error.message, { [field]: [error.message] });
  };
}

const SCOPE_NAMES: Record<ApiKeyScope, string> = {
  read: 'Read figures and events',
  write: 'Change websites and settings',
  events: 'Send events from a server, old ones too',
};

function ApiKeysCard() {
  const { answer, fault, retry } = useAnswer('api keys', (signal) =>
    call<ApiKeyList>('GET', '/auth/api-keys', { signal }),
  );
  const [created, setCreated] = useState<ApiKeyCreated>();
  const [nowMs] = useState(Date.now);
  return (
    <section class="card settings-card">
      <h2>API keys</h2>
      <p>
        For programs: <code>Authorization: Bearer pk_…</code>, see the <a href={toHref('/docs')}>API</a>.
      </p>
      {created && (
        <div class="note" role="status">
          <p>This is the key. It is shown this once; only its hash is kept.</p>
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
                await call('DELETE', `/auth/api-keys/${id}`).catch(() => {}); // the list shows whether it is gone
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
        onSend={async ({ keyName = '', ...values }) => {
          const scopes = API_KEY_SCOPES.filter((scope) => values[scope] === 'on');
          const body = { name: keyName, scopes };
          setCreated(await call<ApiKeyCreated>('POST', '/auth/api-keys', { body }).catch(renameField));
          retry();
        }}
      >
        <Field
          name="keyName"
          label="What the new key is for"
          autocomplete="off"
          maxLength={NAME_LENGTH_MAX}
        />
        <fieldset class="checks">
          <legend>What it may do</legend>
          {API_KEY_SCOPES.map((scope) => (
            <label class="check" key={scope}>
              <input type="checkbox" name={scope} defaultChecked={scope === 'read'} /> {SCOPE_NAMES[scope]}
            </label>
          ))}
        </fieldset>
      </Form>
    </section>
  );
}

/** The page has another field that is called `name`. */
function renameField(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const { name, ...others } = error.fieldErrors;
  throw new ApiError(error.status, error.code, error.message, { ...others, ...(name && { keyName: name }) });
}

function DeleteCard({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card settings-card">
      <h2>Deletion</h2>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        Delete account…
      </button>
      {isOpen && (
        <Dialog title="Delete your account?" onClose={() => setOpen(false)}>
          <p>
            The account {email}, all its websites and all their events are removed for good. There is no way
            back but a backup.
          </p>
          <Form
            action="Delete for good"
            kind="danger"
            onSend={async ({ password }) => {
              await call('DELETE', '/auth/me', { body: { password } }).catch(atField('password'));
              session.end();
            }}
          >
            <LabelledControl name="password" label="Your password">
              {(attributes) => <input type="password" autocomplete="current-password" {...attributes} />}
            </LabelledControl>
          </Form>
        </Dialog>
      )}
    </section>
  );
}
