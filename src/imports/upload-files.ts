import { close, fsync, mkdirSync, open, readdirSync, rmSync, statSync, write } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const opened = promisify(open);
const written = promisify(write);
const synced = promisify(fsync);
const closed = promisify(close);

/** Files that are being uploaded, each under the id of its import. What was received is what the file holds. */
export function createUploadFiles(dataDir: string) {
  const folder = join(dataDir, 'imports');
  const pathOf = (id: string) => join(folder, id);

  return {
    pathOf,

    /** Returns undefined when there is no file. */
    sizeOf(id: string): number | undefined {
      return statSync(pathOf(id), { throwIfNoEntry: false })?.size;
    },

    changedAtMs(id: string): number {
      return statSync(pathOf(id), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    },

    /** Appends a part as it arrives. One that breaks off leaves its beginning, and the next part continues there. */
    async append(id: string, part: AsyncIterable<Uint8Array>): Promise<void> {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = await opened(pathOf(id), 'a', 0o600);
      try {
        for await (const chunk of part)
          for (let from = 0; from < chunk.length; )
            from += (await written(file, chunk, from, chunk.length - from)).bytesWritten;
        await synced(file);
      } finally {
        await closed(file);
      }
    },

    remove(id: string): void {
      rmSync(pathOf(id), { force: true });
    },

    list(): string[] {
      try {
        return readdirSync(folder);
      } catch {
        return []; // no file was ever uploaded
      }
    },
  };
}

export type UploadFiles = ReturnType<typeof createUploadFiles>;
