import { useState } from 'preact/hooks';
import type { AccountList } from '../../contract/member.ts';
import { call } from '../api/client.ts';
import { forgetAnswers } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { ROLE_NAMES } from './role-words.ts';

type Account = AccountList['accounts'][number];
type Props = { accounts: readonly Account[]; onLeft: () => void };

/** Accounts of others that share websites with the user, each of which can be left. */
export function AccountsCard({ accounts, onLeft }: Props) {
  const [leaving, setLeaving] = useState<Account>();
  return (
    <SettingsCard title="Shared with you">
      <ul class="key-list">
        {accounts.map((account) => (
          <li key={account.id}>
            <div>
              <strong>{account.name ?? account.email}</strong>
              <p class="quiet-text">
                {account.name && `${account.email} · `}
                {ROLE_NAMES[account.role]} of {account.isWhole ? 'all websites' : 'some websites'}
              </p>
            </div>
            <button type="button" class="quiet small" onClick={() => setLeaving(account)}>
              Leave…<span class="unseen"> {account.email}</span>
            </button>
          </li>
        ))}
      </ul>
      {leaving && (
        <DangerDialog
          title={`Leave ${leaving.name ?? leaving.email}?`}
          action="Leave"
          onAct={async () => {
            await call('DELETE', `/accounts/${leaving.id}/membership`);
            setLeaving(undefined);
            forgetAnswers();
            onLeft();
            announce('You have left.');
          }}
          onClose={() => setLeaving(undefined)}
        >
          You no longer see its websites. Only a new invitation brings them back.
        </DangerDialog>
      )}
    </SettingsCard>
  );
}
