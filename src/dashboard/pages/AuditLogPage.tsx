import { useState } from 'preact/hooks';
import type { AccountList, AuditLog } from '../../contract/member.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../vocabulary/access.ts';
import { call, respond } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useSettled } from '../api/use-settled.ts';
import type { PageProps } from '../browser/page-props.ts';
import { saveFile } from '../browser/save-file.ts';
import { useTitle } from '../browser/use-title.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Choice } from '../components/Choice.tsx';
import { Frame } from '../components/Frame.tsx';
import { Link } from '../components/Link.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { ACTION_NAMES } from '../members/audit-words.ts';
import { formatCountLong } from '../state/format.ts';
import { formatInstant } from '../state/time-format.ts';

const PAGE_ROWS = 50;
const CHOICES = { '': 'Every action', ...ACTION_NAMES };

/** Who changed what in an account, with a filter, and as a file. */
export function AuditLogPage({ search }: PageProps) {
  useTitle('Audit log');
  const accountId = new URLSearchParams(search).get('account') ?? '';
  const [action, setAction] = useState<AuditAction | ''>('');
  const [text, setText] = useState('');
  const [offset, setOffset] = useState(0);
  const settled = useSettled(text);
  const path = `/accounts/${encodeURIComponent(accountId)}/audit-log`;
  const query = { action: action || undefined, search: settled || undefined };
  const { answer, fault, retry } = useAnswer(`${path} ${JSON.stringify(query)} ${offset}`, (signal) =>
    call<AuditLog>('GET', path, { signal, query: { ...query, limit: PAGE_ROWS, offset } }),
  );
  const accounts = useAnswer('accounts', (signal) =>
    call<AccountList>('GET', '/accounts', { signal }),
  ).answer;
  const account = accounts?.accounts.find(({ id }) => id === accountId);

  return (
    <Frame>
      <div class="page">
        <div class="page-head">
          <h1>Audit log</h1>
          <ActionButton
            onAct={async () => {
              const file = await respond('GET', path, { query: { ...query, format: 'csv' } });
              saveFile(await file.blob(), 'audit-log.csv');
            }}
          >
            Download CSV
          </ActionButton>
        </div>
        <p class="quiet-text">
          {account && account.role !== 'owner' ? `Account of ${account.email}. ` : ''}
          Kept for a year. <Link to="/account">Account</Link>
        </p>
        <div class="tools">
          <input
            type="search"
            class="search"
            placeholder="Person or subject"
            aria-label="Search"
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setOffset(0);
            }}
          />
          <Choice
            aria-label="Action"
            names={CHOICES}
            among={['', ...AUDIT_ACTIONS]}
            value={action}
            onChange={(chosen) => {
              setAction(chosen);
              setOffset(0);
            }}
          />
        </div>
        {fault && <Problem fault={fault} onRetry={retry} />}
        {answer?.entries.length === 0 && <p>{action || settled ? 'No entry matches.' : 'No changes yet.'}</p>}
        {answer && answer.entries.length > 0 && (
          <ul class="audit-log card">
            {answer.entries.map((entry, index) => (
              <li key={`${offset + index}`}>
                <p>
                  {ACTION_NAMES[entry.action]} <strong>{entry.subject}</strong>
                </p>
                <p class="quiet-text">
                  <time dateTime={entry.at}>{formatInstant(entry.at, TIME_ZONE)}</time>
                  {' · '}
                  {entry.actor ?? 'The server'}
                  {describe(entry.details)}
                </p>
              </li>
            ))}
          </ul>
        )}
        {answer && (
          <Pager pagination={{ total: answer.total, limit: PAGE_ROWS, offset }} onOffset={setOffset} />
        )}
      </div>
    </Frame>
  );
}

/** The reader's own: entries are of several websites. */
const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** ` · role: viewer → editor`. */
function describe({ from, to, ...rest }: Record<string, unknown>): string {
  const changed = isRecord(from) && isRecord(to) ? describeChanges(from, to) : [];
  const others = Object.entries(rest)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${nameOf(name)}: ${toText(name, value)}`);
  return [...changed, ...others].map((part) => ` · ${part}`).join('');
}

function describeChanges(from: Record<string, unknown>, to: Record<string, unknown>): string[] {
  return Object.keys(to)
    .map((name) => [nameOf(name), toText(name, from[name]), toText(name, to[name])])
    .filter(([, before, after]) => before !== after)
    .map(([name, before, after]) => `${name}: ${before} → ${after}`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const nameOf = (name: string) => (name === 'websiteIds' ? 'websites' : name);

function toText(name: string, value: unknown): string {
  if (name === 'websiteIds') return Array.isArray(value) ? formatCountLong(value.length) : 'all';
  if (Array.isArray(value)) return value.map((item) => toText('', item)).join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
