import { useEffect, useRef, useState } from 'preact/hooks';
import type { Import, ImportDetails, ImportList } from '../../contract/import.ts';
import { UPLOAD_BYTES_MAX } from '../../vocabulary/contract.ts';
import { ApiError, call } from '../api/client.ts';
import { forgetAnswers, useAnswer } from '../api/use-answer.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Problem } from '../components/Problem.tsx';
import { DoneImports } from '../imports/DoneImports.tsx';
import { FileCard } from '../imports/FileCard.tsx';
import { PendingImport } from '../imports/PendingImport.tsx';
import { upload } from '../imports/upload.ts';
import { usePage } from '../report/use-page.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** While an import or an undo is at work, its progress is shown. */
const EVERY_MS = 2_000;

type Sending = { id: string; receivedBytes: number };

/** Imports history: a file is uploaded, tried, and imported; and what was imported can be undone. */
export function ImportPage(props: PageProps) {
  const { place, profile } = usePage(props);
  const path = `/websites/${encodeURIComponent(place.websiteId)}/imports`;
  useTitle('Import history');
  const [isAtWork, setAtWork] = useState(false);
  const [removed, setRemoved] = useState<Import>();
  const { answer, fault, retry } = useAnswer(
    `imports ${path}`,
    async (signal) => {
      const found = await call<ImportList>('GET', path, { signal });
      setAtWork(found.imports.some(({ state }) => state !== 'done'));
      return found;
    },
    isAtWork ? { everyMs: EVERY_MS } : {},
  );
  const { sending, failure, choose, stop } = useUpload(path, answer?.imports ?? [], retry);
  const pending = answer?.imports.filter(({ state }) => state !== 'done' && state !== 'undoing') ?? [];
  const done = answer?.imports.filter(({ state }) => state === 'done' || state === 'undoing') ?? [];
  const timezone = profile.answer?.timezone ?? 'UTC';
  const mayImport = /owner|admin/.test(profile.answer?.role ?? '');

  async function remove(one: Import): Promise<void> {
    if (sending?.id === one.id) stop();
    await call('DELETE', `${path}/${one.id}`);
    setRemoved(undefined);
    forgetAnswers();
    retry();
    announce(one.added ? 'The events of the import are being removed.' : 'The import is removed.');
  }

  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page imports">
        <h1>Import history</h1>
        <p class="quiet-text">
          Files of Umami, Plausible, Matomo, Google Analytics 4, GoatCounter, PostHog and Simple Analytics,
          access logs, and exports of Pagemeter; also compressed, or several in a zip.{' '}
          <a href={toHref('/docs/import')}>Where to find them</a>
        </p>
        {mayImport && <FileCard isBusy={sending !== undefined} failure={failure} onChoose={choose} />}
        {profile.answer && !mayImport && (
          <p class="note">Importing and undoing need the role admin; yours is {profile.answer.role}.</p>
        )}
        {fault && <Problem fault={fault} onRetry={retry} />}
        {pending.map((one) => (
          <PendingImport
            key={one.id}
            path={`${path}/${one.id}`}
            one={one}
            sentBytes={sending?.id === one.id ? sending.receivedBytes : undefined}
            timezone={timezone}
            mayImport={mayImport}
            onChange={retry}
            onRemove={() => (one.state === 'running' ? setRemoved(one) : remove(one))}
          />
        ))}
        {done.length > 0 && (
          <DoneImports imports={done} timezone={timezone} onUndo={mayImport ? setRemoved : undefined} />
        )}
      </div>
      {removed && (
        <DangerDialog
          title={`Undo the import of “${removed.source}”?`}
          action="Remove its events"
          onAct={() => remove(removed)}
          onClose={() => setRemoved(undefined)}
        >
          Exactly the events that it added are removed. What was collected stays. The same files can be
          imported again.
        </DangerDialog>
      )}
    </WebsiteFrame>
  );
}

/** The upload of this page. Leaving the page stops it; choosing the same file again continues it. */
function useUpload(path: string, imports: readonly Import[], onChange: () => void) {
  const [sending, setSending] = useState<Sending>();
  const [failure, setFailure] = useState('');
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  async function choose(file: File): Promise<void> {
    if (file.size === 0) return setFailure(`${file.name} is empty.`);
    if (file.size > UPLOAD_BYTES_MAX)
      return setFailure(`${file.name} is larger than 2 GiB: compress it, or import it on the command line.`);
    abort.current = new AbortController();
    const { signal } = abort.current;
    setFailure('');
    try {
      const one = (await findBegun(file)) ?? (await create(file));
      onChange();
      const ownPath = `${path}/${one.id}`;
      setSending({ id: one.id, receivedBytes: one.receivedBytes ?? 0 });
      const onProgress = (receivedBytes: number) => setSending({ id: one.id, receivedBytes });
      await upload(ownPath, file, { signal, onProgress });
      announce(`${file.name} is uploaded.`);
    } catch (error) {
      if (!signal.aborted) setFailure(error instanceof ApiError ? error.message : String(error));
    } finally {
      setSending(undefined);
      onChange();
    }
  }

  function create({ name, size }: File): Promise<ImportDetails> {
    return call<ImportDetails>('POST', path, { body: { name, sizeBytes: size } });
  }

  /** Finds the upload of a file with the same name and size that was interrupted. */
  async function findBegun({ name, size }: File): Promise<ImportDetails | undefined> {
    for (const { id, source, state } of imports) {
      if (state !== 'uploading' || source !== name) continue;
      const found = await call<ImportDetails>('GET', `${path}/${id}`);
      if (found.sizeBytes === size) return found;
    }
    return undefined;
  }

  return { sending, failure, choose: (file: File) => void choose(file), stop: () => abort.current?.abort() };
}
