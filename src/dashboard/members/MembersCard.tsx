import { useState } from 'preact/hooks';
import type { AccountList, Member, MemberList } from '../../contract/member.ts';
import type { Website } from '../../contract/website.ts';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { formatCountOf } from '../state/format.ts';
import { formatAgo } from '../state/time-format.ts';
import { MemberDialog } from './MemberDialog.tsx';
import { listSections, ROLE_NAMES } from './role-words.ts';

type Opened = { kind: 'invite' } | { kind: 'edit' | 'remove'; member: Member };
const PAGE_ROWS = 50;

/** People of an account: how to invite them, change what they may do, and remove them. */
export function MembersCard({ account }: { account: AccountList['accounts'][number] }) {
  const [opened, setOpened] = useState<Opened>();
  const [offset, setOffset] = useState(0);
  const [nowMs] = useState(Date.now);
  const path = `/accounts/${account.id}/members`;
  const { answer, fault, retry } = useAnswer(`${path} ${offset}`, (signal) =>
    call<MemberList>('GET', path, { signal, query: { limit: PAGE_ROWS, offset } }),
  );
  const websites = useAnswer('websites list', (signal) =>
    call<{ websites: Website[] }>('GET', '/websites', { signal }),
  ).answer?.websites.filter(({ userId }) => userId === account.id);
  const close = () => setOpened(undefined);

  return (
    <SettingsCard title={account.role === 'owner' ? 'People' : `People of ${account.email}`}>
      <p>
        People you invite log in with their own account and see your websites by their role.{' '}
        <Link to={`/account/audit-log?account=${account.id}`}>Audit log</Link>
      </p>
      {fault && <Problem fault={fault} onRetry={retry} />}
      {answer && answer.members.length > 0 && (
        <ul class="key-list">
          {answer.members.map((member) => (
            <li key={member.id}>
              <div>
                <strong>{nameOf(member)}</strong>
                <p class="quiet-text">{describe(member, nowMs)}</p>
              </div>
              <div class="copy-line">
                {member.role !== 'owner' && (
                  <button
                    type="button"
                    class="quiet small"
                    onClick={() => setOpened({ kind: 'edit', member })}
                  >
                    Edit…<span class="unseen"> {nameOf(member)}</span>
                  </button>
                )}
                <button
                  type="button"
                  class="quiet small"
                  onClick={() => setOpened({ kind: 'remove', member })}
                >
                  {member.userId === null ? 'Revoke…' : 'Remove…'}
                  <span class="unseen"> {nameOf(member)}</span>
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {answer && (
        <Pager pagination={{ total: answer.total, limit: PAGE_ROWS, offset }} onOffset={setOffset} />
      )}
      <button type="button" class="quiet" onClick={() => setOpened({ kind: 'invite' })}>
        Invite…
      </button>
      {opened && opened.kind !== 'remove' && (
        <MemberDialog
          path={path}
          websites={websites ?? []}
          {...(opened.kind === 'edit' && { member: opened.member })}
          onChanged={retry}
          onClose={close}
        />
      )}
      {opened?.kind === 'remove' && (
        <RemoveDialog
          member={opened.member}
          onRemove={async () => {
            await call('DELETE', `${path}/${opened.member.id}`);
            close();
            retry();
            announce(opened.member.userId === null ? 'The invitation is revoked.' : 'Removed.');
          }}
          onClose={close}
        />
      )}
    </SettingsCard>
  );
}

type RemoveProps = { member: Member; onRemove: () => Promise<void>; onClose: () => void };

function RemoveDialog({ member, onRemove, onClose }: RemoveProps) {
  const isInvitation = member.userId === null;
  return (
    <DangerDialog
      title={isInvitation ? `Revoke “${nameOf(member)}”?` : `Remove ${nameOf(member)}?`}
      action={isInvitation ? 'Revoke invitation' : 'Remove'}
      onAct={onRemove}
      onClose={onClose}
    >
      {isInvitation
        ? 'Its link can no longer be used.'
        : 'They lose access at once, also with their API keys. Their own account and websites stay.'}
    </DangerDialog>
  );
}

function nameOf({ userId, name, email, note }: Member): string {
  return name || email || note || (userId === null ? 'Invitation' : 'Unknown');
}

function describe({ userId, name, email, note, role, websiteIds, hides, ...member }: Member, nowMs: number) {
  const { joinedAt, expiresAt } = member;
  const shown = name || email || note;
  return [
    email !== shown && email,
    note !== shown && note,
    role === 'owner'
      ? 'Hand-over of a website'
      : `${ROLE_NAMES[role]} of ${websiteIds ? formatCountOf(websiteIds.length, 'websites') : 'all websites'}`,
    hides.length > 0 && `without ${listSections(hides).toLowerCase()}`,
    joinedAt && `joined ${formatAgo(Date.parse(joinedAt), nowMs)}`,
    userId === null && expiresAt && `invited, expires ${formatAgo(Date.parse(expiresAt), nowMs)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
