import { useState } from 'preact/hooks';
import type { ShareLink, ShareLinkList } from '../../contract/share-link.ts';
import { PUBLIC_HIDES } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Check, Field, Form } from '../components/Form.tsx';
import { Problem } from '../components/Problem.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { formatCountOf } from '../state/format.ts';
import { formatAgo } from '../state/time-format.ts';
import { HIDE_NAMES } from './PublicCard.tsx';

type Opened = { link: ShareLink; kind: 'edit' | 'delete' };

/** Share links of a website: their use, and how to change, revoke and delete them. */
export function LinksCard({ path }: { path: string }) {
  const [opened, setOpened] = useState<Opened>();
  const [nowMs] = useState(Date.now);
  const { answer, fault, retry } = useAnswer(`links ${path}`, (signal) =>
    call<ShareLinkList>('GET', `${path}/links`, { signal }),
  );
  const pathOf = ({ id }: ShareLink) => `${path}/links/${id}`;

  async function change(link: ShareLink, body: object, message: string): Promise<void> {
    await call('PATCH', pathOf(link), { body });
    setOpened(undefined);
    retry();
    announce(message);
  }

  return (
    <SettingsCard title="Share links">
      <p>
        A link shows the reports without an account, as much of them as you choose. “Share” on the dashboard
        makes one of the period and filters that are shown.
      </p>
      {fault && <Problem fault={fault} onRetry={retry} />}
      {answer && answer.links.length > 0 && (
        <ul class="key-list">
          {answer.links.map((link) => (
            <li key={link.id}>
              <div>
                <strong>{link.name}</strong>
                <p class="quiet-text">{describe(link, nowMs)}</p>
              </div>
              <div class="copy-line">
                <button type="button" class="quiet small" onClick={() => setOpened({ link, kind: 'edit' })}>
                  Edit…<span class="unseen"> {link.name}</span>
                </button>
                <button
                  type="button"
                  class="quiet small"
                  onClick={() =>
                    void change(
                      link,
                      { isRevoked: !link.isRevoked },
                      link.isRevoked ? 'The link works again.' : 'The link is revoked.',
                    )
                  }
                >
                  {link.isRevoked ? 'Restore' : 'Revoke'}
                  <span class="unseen"> {link.name}</span>
                </button>
                {link.isRevoked && (
                  <button
                    type="button"
                    class="quiet small"
                    onClick={() => setOpened({ link, kind: 'delete' })}
                  >
                    Delete…<span class="unseen"> {link.name}</span>
                  </button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {opened?.kind === 'edit' && (
        <EditDialog
          link={opened.link}
          onSave={(body) => change(opened.link, body, 'Saved.')}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened?.kind === 'delete' && (
        <DangerDialog
          title={`Delete “${opened.link.name}”?`}
          action="Delete link"
          onAct={async () => {
            await call('DELETE', pathOf(opened.link));
            setOpened(undefined);
            retry();
          }}
          onClose={() => setOpened(undefined)}
        >
          Its address then shows that it is unknown, and can never work again.
        </DangerDialog>
      )}
    </SettingsCard>
  );
}

type EditProps = { link: ShareLink; onSave: (body: object) => Promise<void>; onClose: () => void };

function EditDialog({ link, onSave, onClose }: EditProps) {
  const { name, expiresAt, origins, hides, hasPassword } = link;
  return (
    <Dialog title="Edit share link" onClose={onClose}>
      <Form
        action="Save"
        fieldOf={{ expiresAt: 'expires' }}
        onSend={(values) => {
          const expires = values.expires || null;
          return onSave({
            name: values.name,
            origins: (values.origins ?? '').split(/[\s,]+/).filter(Boolean),
            hides: PUBLIC_HIDES.filter((hide) => values[hide] === 'on'),
            ...(expires !== (expiresAt?.slice(0, 10) ?? null) && { expiresAt: expires }),
            ...(values.password && { password: values.password }),
            ...(values.open === 'on' && { password: null }),
          });
        }}
      >
        <Field name="name" label="Name" value={name} />
        <Field
          name="password"
          label={hasPassword ? 'New password' : 'Password'}
          autocomplete="new-password"
          hint={hasPassword ? 'Empty: as it is.' : 'Empty: none.'}
        />
        {hasPassword && <Check name="open">Remove the password</Check>}
        <Field
          name="expires"
          label="Closed from"
          value={expiresAt?.slice(0, 10) ?? ''}
          placeholder="2027-01-31"
          hint="A date. Empty: never."
        />
        <Field
          name="origins"
          label="Websites that may embed it"
          value={origins.join(' ')}
          placeholder="https://client.example"
          hint="Origins, separated by spaces. Empty: none."
        />
        <fieldset class="checks">
          <legend>Hide from its readers</legend>
          {PUBLIC_HIDES.map((hide) => (
            <Check key={hide} name={hide} isChecked={hides.includes(hide)}>
              {HIDE_NAMES[hide]}
            </Check>
          ))}
        </fieldset>
      </Form>
    </Dialog>
  );
}

function describe(link: ShareLink, nowMs: number): string {
  const { expiresAt, filters, hasPassword, isRevoked, lastUsedAt, range, uses, faults } = link;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return [
    isRevoked && 'Revoked',
    isOver && 'Expired',
    faults.length > 0 && 'Closed: a goal of its filter was deleted',
    lastUsedAt
      ? `opened ${formatCountOf(uses, 'times')}, last used ${formatAgo(Date.parse(lastUsedAt), nowMs)}`
      : 'never used',
    filters.length > 0 && 'filtered',
    range && 'one period',
    hasPassword && 'with password',
    expiresAt && !isOver && `until ${expiresAt.slice(0, 10)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
