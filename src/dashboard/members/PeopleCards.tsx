import type { AccountList } from '../../contract/member.ts';
import { includesRole } from '../../vocabulary/access.ts';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../components/Problem.tsx';
import { AccountsCard } from './AccountsCard.tsx';
import { MembersCard } from './MembersCard.tsx';

/** People of the user's own account and of accounts that they manage, and accounts that share websites with them. */
export function PeopleCards() {
  const { answer, fault, retry } = useAnswer('accounts', (signal) =>
    call<AccountList>('GET', '/accounts', { signal }),
  );
  const accounts = answer?.accounts ?? [];
  const others = accounts.filter(({ role }) => role !== 'owner');
  return (
    <>
      {fault && <Problem fault={fault} onRetry={retry} />}
      {accounts
        .filter(({ role, isWhole }) => isWhole && includesRole(role, 'admin'))
        .map((account) => (
          <MembersCard key={account.id} account={account} />
        ))}
      {others.length > 0 && <AccountsCard accounts={others} onLeft={retry} />}
    </>
  );
}
