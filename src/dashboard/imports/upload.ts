import type { ImportDetails } from '../../contract/import.ts';
import { UPLOAD_PART_BYTES_MAX } from '../../vocabulary/contract.ts';
import { ApiError, call } from '../api/client.ts';

/** A slow connection gets so much through before a proxy or the service loses patience. */
const PART_BYTES_MIN = 128 * 1024;
/** Attempts in a row without any progress, with pauses of up to half a minute. */
const ATTEMPTS_MAX = 10;
const PAUSE_MS_MAX = 30_000;
const CONFLICT = 409;
/** A proxy may have a lower bound than the service: that of nginx is 1 MB by default. */
const TOO_LARGE = 413;
const TOO_MANY = 429;
const UNAVAILABLE = 503;

type Options = { signal: AbortSignal; onProgress: (receivedBytes: number) => void };

/**
 * Sends what the service lacks of a file, in parts. After a fault of the network it asks where to continue.
 *
 * @param path of the import
 * @throws ApiError when the service refuses, or does not answer for minutes
 */
export async function upload(path: string, file: File, { signal, onProgress }: Options): Promise<void> {
  let partBytes = UPLOAD_PART_BYTES_MAX;
  let attempts = 0;
  let { receivedBytes, state } = await call<ImportDetails>('GET', path, { signal });
  while (state === 'uploading') {
    const offset = receivedBytes ?? 0;
    const bytes = file.slice(offset, offset + partBytes);
    try {
      ({ receivedBytes, state } = await call<ImportDetails>('PATCH', `${path}/file`, {
        query: { offset },
        bytes,
        signal,
      }));
      attempts = 0;
      onProgress(receivedBytes ?? offset + bytes.size);
    } catch (error) {
      const isPassing =
        error instanceof ApiError && [0, CONFLICT, TOO_LARGE, TOO_MANY, UNAVAILABLE].includes(error.status);
      attempts += 1;
      if (!isPassing || attempts > ATTEMPTS_MAX) throw error;
      if (error.status === 0 || error.status === TOO_LARGE)
        partBytes = Math.max(PART_BYTES_MIN, partBytes / 2);
      await pause(Math.min(PAUSE_MS_MAX, 2 ** attempts * 250), signal);
      const now = await call<ImportDetails>('GET', path, { signal }).catch(() => undefined);
      if (now) ({ receivedBytes, state } = now);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
