import { useState } from 'preact/hooks';
import type { Invited } from '../../contract/member.ts';
import type { Website } from '../../contract/website.ts';
import { EMAIL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import { ownAddress } from '../browser/base-path.ts';
import { CopyButton } from '../components/CopyButton.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Field } from '../components/Form.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';

/** Offers a website to another account by a link. It moves when that account accepts. */
export function HandOverCard({ website: { id, userId, name } }: { website: Website }) {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Invited>();
  const address = made && `${ownAddress()}/join#${made.token}`;
  return (
    <SettingsCard title="Hand over">
      <p>Moves the website with all its events to another account, once that account accepts.</p>
      {address ? (
        <div class="note" role="status">
          <p>
            Send this link to the new owner. It is shown only now, works once, and expires after seven days.
            Until it is used you can revoke it under People in your account.
          </p>
          <p class="copy-line">
            <code id="hand-over-address">{address}</code>
            <CopyButton text={address} sourceId="hand-over-address" label="Copy link" />
          </p>
        </div>
      ) : (
        <button type="button" class="quiet danger-text" onClick={() => setOpen(true)}>
          Hand over…
        </button>
      )}
      {isOpen && (
        <DangerDialog
          title={`Hand “${name}” over?`}
          action="Create link"
          fields={
            <Field
              name="email"
              label="E-mail of the new owner"
              type="email"
              autocomplete="off"
              maxLength={EMAIL_LENGTH_MAX}
              hint="Only this address can accept. Empty: anyone who has the link."
            />
          }
          onAct={async ({ email }) => {
            const body = { role: 'owner', websiteIds: [id], email: email || null };
            setMade(await call<Invited>('POST', `/accounts/${userId}/members`, { body }));
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        >
          When the new owner accepts, you and the people of your account lose the website. Only they can give
          it back.
        </DangerDialog>
      )}
    </SettingsCard>
  );
}
