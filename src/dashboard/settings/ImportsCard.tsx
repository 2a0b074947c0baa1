import { useState } from 'preact/hooks';
import type { Import, ImportList } from '../../contract/import.ts';
import { call } from '../api/client.ts';
import { forgetAnswers, useAnswer } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Problem } from '../components/Problem.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { formatCountOf } from '../state/format.ts';
import { formatDays } from '../state/time-format.ts';

/** While an import or an undo is at work, its progress is shown. */
const EVERY_MS = 2_000;

type Props = { path: string; domain: string; timezone: string };

/** History that was imported, which can be undone; and how to import. */
export function ImportsCard({ path, domain, timezone }: Props) {
  const [isAtWork, setAtWork] = useState(false);
  const [undone, setUndone] = useState<Import>();
  const { answer, fault, retry } = useAnswer(
    `imports ${path}`,
    async (signal) => {
      const found = await call<ImportList>('GET', `${path}/imports`, { signal });
      setAtWork(found.imports.some(({ state }) => state !== 'done'));
      return found;
    },
    isAtWork ? { everyMs: EVERY_MS } : {},
  );

  return (
    <SettingsCard title="Import history">
      <p>
        Adds events of Umami, Matomo, Google Analytics 4, GoatCounter, PostHog, Simple Analytics, or of access
        logs. Run this on the server to try it first:
      </p>
      <p>
        <code>pagemeter import FILE --website {hostOf(domain)} --dry-run</code>
      </p>
      {fault && <Problem fault={fault} onRetry={retry} />}
      {answer && answer.imports.length > 0 && (
        <ul class="key-list">
          {answer.imports.map((each) => (
            <li key={each.id}>
              <div>
                <strong>{each.source}</strong>
                <p class="quiet-text">{describe(each, timezone)}</p>
              </div>
              {each.state !== 'undoing' && (
                <button type="button" class="quiet small" onClick={() => setUndone(each)}>
                  Undo…<span class="unseen"> {each.source}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {undone && (
        <DangerDialog
          title={`Undo the import of “${undone.source}”?`}
          action="Remove its events"
          onAct={async () => {
            await call('DELETE', `${path}/imports/${undone.id}`);
            setUndone(undefined);
            forgetAnswers();
            retry();
            announce('The events of the import are being removed.');
          }}
          onClose={() => setUndone(undefined)}
        >
          Exactly the events that it added are removed. What was collected stays. The same files can be
          imported again.
        </DangerDialog>
      )}
    </SettingsCard>
  );
}

function hostOf(domain: string): string {
  return URL.parse(domain)?.host ?? domain;
}

const dayOf = (at: string, timeZone: string) => new Date(at).toLocaleDateString('en-CA', { timeZone });

function describe({ state, added, rows, from, to }: Import, timezone: string): string {
  const range = from && to ? ` · ${formatDays(dayOf(from, timezone), dayOf(to, timezone))}` : '';
  if (state === 'undoing') return 'Its events are being removed';
  if (state === 'running') return `Running or interrupted after ${formatCountOf(rows, 'rows')}${range}`;
  return `${formatCountOf(added ?? 0, 'events')}${range}`;
}
