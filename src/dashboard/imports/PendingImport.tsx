import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Import, ImportDetails } from '../../contract/import.ts';
import { IMPORT_FORMATS, unitsOf } from '../../vocabulary/import-formats.ts';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Problem } from '../components/Problem.tsx';
import { formatCountLong, formatCountOf } from '../state/format.ts';
import { DryRunView } from './DryRunView.tsx';
import { formatBytes } from './format-bytes.ts';
import { OptionsForm } from './OptionsForm.tsx';

const EVERY_MS = 1_000;

type Props = {
  /** Path of the import. */
  path: string;
  one: Import;
  /** Bytes that this page has sent; undefined when it sends none. */
  sentBytes: number | undefined;
  timezone: string;
  /** Whether the user's role allows more than looking. */
  mayImport: boolean;
  onChange: () => void;
  onRemove: () => void;
};

/** An import that is not done: its upload, its dry run, its start and its progress. */
export function PendingImport({ path, one, sentBytes, timezone, mayImport, onChange, onRemove }: Props) {
  const id = useId();
  const isAtWork = one.state === 'reading' || one.state === 'running';
  const { answer, fault, retry } = useAnswer(
    `import ${path} ${one.state}`,
    (signal) => call<ImportDetails>('GET', path, { signal }),
    isAtWork ? { everyMs: EVERY_MS } : {},
  );

  async function change(work: () => Promise<unknown>): Promise<void> {
    await work();
    retry();
    onChange();
  }

  return (
    <section class="card import-card" aria-labelledby={id}>
      <div class="import-head">
        <h2 id={id}>{one.source}</h2>
        {mayImport && (
          <button type="button" class="quiet small" onClick={onRemove}>
            {one.state === 'running' ? 'Cancel…' : 'Remove'}
            <span class="unseen"> {one.source}</span>
          </button>
        )}
      </div>
      {fault && fault.status !== 404 && <Problem fault={fault} onRetry={retry} />}
      {answer && <State one={answer} sentBytes={sentBytes} />}
      {answer?.dryRun && answer.state === 'ready' && (
        <>
          <DryRunView dryRun={answer.dryRun} timezone={timezone} />
          {mayImport && answer.dryRun.accepted > answer.dryRun.duplicates && (
            <p>
              <ActionButton kind="primary" onAct={() => change(() => call('POST', `${path}/start`))}>
                Import{' '}
                {formatCountOf(
                  answer.dryRun.accepted - answer.dryRun.duplicates,
                  unitsOf(answer.dryRun.format),
                )}
              </ActionButton>
            </p>
          )}
        </>
      )}
      {answer && mayImport && (answer.state === 'ready' || answer.state === 'failed') && (
        <OptionsForm
          options={answer.options}
          hosts={answer.dryRun?.hosts.map(({ host }) => host) ?? []}
          isOpen={answer.state === 'failed'}
          onSend={(body) => change(() => call('PUT', path, { body }))}
        />
      )}
    </section>
  );
}

function State({ one, sentBytes }: { one: ImportDetails; sentBytes: number | undefined }) {
  const { state, sizeBytes, rows, error, dryRun, format } = one;
  const received = Math.max(sentBytes ?? 0, one.receivedBytes ?? 0);
  switch (state) {
    case 'uploading':
      return (
        <Progress of={sizeBytes ?? 0} done={received}>
          {formatBytes(received)} of {formatBytes(sizeBytes ?? 0)}
          {sentBytes === undefined && '. Choose the file again to continue.'}
        </Progress>
      );
    case 'reading':
      return (
        <Progress>
          {error ? `Waits to be tried again: ${error}` : `Reading: ${formatCountOf(rows, 'rows')} so far`}
        </Progress>
      );
    case 'running':
      return (
        <Progress of={dryRun?.rows} done={rows}>
          {error
            ? `Waits to be tried again: ${error}`
            : `Importing: ${formatCountLong(rows)} of ${dryRun ? formatCountOf(dryRun.rows, 'rows') : 'an unknown number of rows'}`}
        </Progress>
      );
    case 'failed':
      return <p class="fault">{error}. Nothing was imported.</p>;
    default:
      return <p class="quiet-text">{isKnown(format) ? IMPORT_FORMATS[format] : format}</p>;
  }
}

function isKnown(format: string): format is keyof typeof IMPORT_FORMATS {
  return format in IMPORT_FORMATS;
}

/** @param of undefined: how much there is, is unknown */
function Progress({
  of,
  done,
  children,
}: {
  of?: number | undefined;
  done?: number;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <>
      <progress
        class="import-progress"
        aria-labelledby={id}
        {...(of !== undefined && of > 0 && done !== undefined && { max: of, value: Math.min(done, of) })}
      />
      <p id={id} class="quiet-text number">
        {children}
      </p>
    </>
  );
}
