import type { ImportInput, ImportOptions } from '../contract/import.ts';
import { payloadTooLargeError } from '../http/body-faults.ts';
import { isCutOff } from '../http/read-text.ts';
import { UPLOAD_DAYS, UPLOAD_PART_BYTES_MAX, UPLOADS_MAX } from '../vocabulary/contract.ts';
import { DAY_MS, MINUTE_MS } from '../vocabulary/durations.ts';
import { AppError, unavailableError, validationError } from '../vocabulary/errors.ts';
import type { ImportRecord, ImportStore } from './store.ts';
import type { UploadFiles } from './upload-files.ts';

type Deps = {
  store: ImportStore;
  files: UploadFiles;
  /** Does the next step of an import in a process of its own; undefined where none can reach the database. */
  work: ((id: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** Why nothing can be stored at the moment. */
  findRefusal: () => AppError | undefined;
  now: () => number;
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  onError: (error: unknown) => void;
};

export type Uploads = ReturnType<typeof createUploads>;

const RETRY_MS = MINUTE_MS;
const RETRY_S = 30;

/** Files that are uploaded to be imported: their parts, and one after the other the work on them. */
export function createUploads(deps: Deps) {
  const { store, files, work, findRefusal, now, pause, onError } = deps;
  const stopping = new AbortController();
  /** Imports whose part is being written. */
  const arriving = new Set<number>();
  let woken = new AbortController();
  let atWork: { key: number; abort: AbortController } | undefined;
  let isRunning = false;
  let run = Promise.resolve();

  return { create, append, configure, start, cancel, receivedBytes, wake, removeLeftOvers, close };

  async function create(
    websiteKey: number,
    { name, sizeBytes, ...options }: ImportInput,
  ): Promise<ImportRecord> {
    if (!work)
      throw new AppError('CONFLICT', 'The database is in the memory of the service: no file can be imported');
    refuseWithoutRoom();
    const row = await store.beginUpload({ websiteKey, source: name, sizeBytes, options }, UPLOADS_MAX);
    if (!row)
      throw new AppError(
        'CONFLICT',
        `The website has ${UPLOADS_MAX} imports that are not finished: start or remove one first`,
      );
    return row;
  }

  /** Receives the part of a file that begins at `offset`. @throws AppError CONFLICT that says where it continues */
  async function append(
    record: ImportRecord,
    offset: number,
    part: AsyncIterable<Uint8Array>,
  ): Promise<ImportRecord> {
    const { key, id, state, sizeBytes } = record;
    if (state !== 'uploading' || sizeBytes === null)
      throw new AppError('CONFLICT', `The file of this import is complete: it is ${state}`);
    if (arriving.has(key)) throw new AppError('CONFLICT', 'Another part of this file is on its way');
    refuseWithoutRoom();
    arriving.add(key);
    try {
      const received = files.sizeOf(id) ?? 0;
      if (offset !== received)
        throw new AppError('CONFLICT', `The upload continues at offset ${received}, not at ${offset}`);
      const room = Math.min(UPLOAD_PART_BYTES_MAX, sizeBytes - received);
      await files.append(id, bounded(part, room, sizeBytes));
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOSPC') throw noRoomError();
      if (isCutOff(error))
        throw validationError('The part broke off', {}, ['The part broke off; what arrived is kept']);
      throw error;
    } finally {
      arriving.delete(key);
    }
    if (files.sizeOf(id) !== sizeBytes) return record;
    return change(record, ['uploading'], { state: 'reading' });
  }

  /** Reads an uploaded file once more, in another way. */
  function configure(record: ImportRecord, options: ImportOptions): Promise<ImportRecord> {
    const isWhole = record.sizeBytes !== null && files.sizeOf(record.id) === record.sizeBytes;
    if (record.state === 'uploading' || !isWhole) return change(record, ['uploading'], { options });
    return change(record, ['ready', 'failed'], { options, state: 'reading', preview: null, error: null });
  }

  /** Begins to add the events of an uploaded file. */
  function start(record: ImportRecord): Promise<ImportRecord> {
    return change(record, ['ready'], { state: 'running', rows: 0, error: null });
  }

  async function change(
    { key, id, state }: ImportRecord,
    states: readonly ImportRecord['state'][],
    set: Partial<ImportRecord>,
  ): Promise<ImportRecord> {
    const changed = await store.change(key, states, set);
    if (!changed)
      throw new AppError(
        'CONFLICT',
        `The import ${id} is ${state}: this can be done while it is ${states.join(' or ')}`,
      );
    wake();
    return changed;
  }

  /** Ends the work on an import and removes its file, once its undo is ordered. */
  function cancel({ key, id }: ImportRecord): void {
    if (atWork?.key === key) atWork.abort.abort();
    files.remove(id);
  }

  function receivedBytes({ id, state, sizeBytes }: ImportRecord): number | null {
    if (sizeBytes === null || state === 'done') return null;
    return files.sizeOf(id) ?? (state === 'uploading' ? 0 : null);
  }

  function refuseWithoutRoom(): void {
    if (findRefusal()) throw noRoomError();
  }

  /** Works until nothing is left. Called after each change, and at the start, where it continues what a kill interrupted. */
  function wake(): void {
    woken.abort();
    if (isRunning || stopping.signal.aborted || !work) return;
    isRunning = true;
    run = workOnAll(work)
      .catch(onError)
      .finally(() => {
        isRunning = false;
      });
  }

  async function workOnAll(workOn: NonNullable<Deps['work']>): Promise<void> {
    const { signal } = stopping;
    await removeLeftOvers(); // of an import that was done when the service was killed
    while (woken.signal.aborted && !signal.aborted) {
      woken = new AbortController();
      let hasFailed = false;
      for (const { key, id } of await store.listWork()) {
        const abort = new AbortController();
        atWork = { key, abort };
        const error = await workOn(id, AbortSignal.any([signal, abort.signal])).then(
          () => undefined,
          (fault: Error) => fault,
        );
        atWork = undefined;
        if (signal.aborted) return;
        hasFailed ||= await settle(id, error);
      }
      if (!hasFailed) continue;
      await pause(RETRY_MS, AbortSignal.any([signal, woken.signal]));
      woken.abort();
    }
  }

  /** @returns whether the import has to be tried again */
  async function settle(id: string, error: Error | undefined): Promise<boolean> {
    const record = await store.find(id);
    if (!record || record.state === 'done' || record.state === 'undoing') files.remove(id);
    const isPending = record?.state === 'reading' || record?.state === 'running';
    if (!isPending || !error) return false; // read, and started since
    await store.change(record.key, ['reading', 'running'], { error: error.message });
    return true;
  }

  /** Removes files without an import, as of a deleted website, and uploads that were left. */
  async function removeLeftOvers(): Promise<void> {
    const before = now() - UPLOAD_DAYS * DAY_MS;
    for (const id of files.list()) {
      const record = await store.find(id);
      const isKept = record && IDLE_STATES.has(record.state);
      if (isKept && Math.max(record.updatedAtMs, files.changedAtMs(id)) < before) {
        await store.remove(record.key);
        files.remove(id);
      }
      if (!record || record.state === 'done') files.remove(id);
    }
  }

  async function close(): Promise<void> {
    stopping.abort();
    await run;
  }
}

const IDLE_STATES: ReadonlySet<string> = new Set(['uploading', 'ready', 'failed']);

/** @throws AppError when more arrives than there is room for */
async function* bounded(
  part: AsyncIterable<Uint8Array>,
  room: number,
  sizeBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let arrived = 0;
  for await (const chunk of part) {
    arrived += chunk.length;
    if (arrived > UPLOAD_PART_BYTES_MAX) throw payloadTooLargeError(UPLOAD_PART_BYTES_MAX);
    if (arrived > room)
      throw validationError('Invalid part', {
        sizeBytes: [`The file is longer than the ${sizeBytes} bytes that it was to have`],
      });
    yield chunk;
  }
}

function noRoomError(): AppError {
  return unavailableError('The disk is nearly full: the upload can continue once there is room', RETRY_S);
}
