import { useState } from 'preact/hooks';
import type { SessionList } from '../../contract/account.ts';
import { ApiError, call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { Problem } from '../components/Problem.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { formatAgo } from '../state/time-format.ts';

/** Sessions of the user, each of which can be ended. */
export function SessionsCard() {
  const { answer, fault, retry } = useAnswer('sessions', (signal) =>
    call<SessionList>('GET', '/auth/sessions', { signal }),
  );
  const [nowMs] = useState(Date.now);
  const [endFault, setEndFault] = useState<ApiError>();

  async function end(id: string, name: string): Promise<void> {
    setEndFault(undefined);
    try {
      await call('DELETE', `/auth/sessions/${id}`);
      announce(`${name} is logged out.`);
    } catch (error) {
      // A session that is already gone needs no ending.
      if (error instanceof ApiError && error.status !== 404) setEndFault(error);
    }
    retry();
  }

  return (
    <SettingsCard title="Where you are logged in">
      {fault && <Problem fault={fault} onRetry={retry} />}
      {endFault && <Problem fault={endFault} />}
      <ul class="key-list">
        {answer?.sessions.map(({ id, client, createdAt, renewedAt, isCurrent }) => {
          const name = client ?? 'Unknown browser';
          return (
            <li key={id}>
              <div>
                <strong>{name}</strong>
                <p class="quiet-text">
                  {isCurrent && 'This device · '}
                  logged in {formatAgo(Date.parse(createdAt), nowMs)}
                  {renewedAt !== createdAt && ` · renewed ${formatAgo(Date.parse(renewedAt), nowMs)}`}
                </p>
              </div>
              {!isCurrent && (
                <button type="button" class="quiet small" onClick={() => void end(id, name)}>
                  Log out<span class="unseen"> {name}</span>
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <button
        type="button"
        class="quiet"
        onClick={async () => {
          await call('POST', '/auth/logout-all').catch(() => {}); // the login ends here in any case
          session.end();
        }}
      >
        Log out everywhere
      </button>
    </SettingsCard>
  );
}
