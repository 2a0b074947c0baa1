import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import type { S3Access } from '../settings/backup.ts';

/** A part of an upload: 10,000 of them, the most that S3 takes, are 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
const NAMES_MAX = 10_000;

/** The backups under one prefix of a bucket. Errors are sentences that name the bucket. */
export function openBucket(access: S3Access, { bucket, prefix }: { bucket: string; prefix: string }) {
  const client = new Bun.S3Client({ ...access, bucket });
  const place = `s3://${bucket}/${prefix}`;

  return { place, list, size, upload, download, checksum, writeText, readText, remove };

  /** Names of the objects under the prefix, without it. */
  function list(): Promise<string[]> {
    return explained('cannot be listed', async () => {
      const names: string[] = [];
      let continuationToken: string | undefined;
      do {
        const answer = await client.list({ prefix, ...(continuationToken && { continuationToken }) });
        names.push(...(answer.contents ?? []).map(({ key }) => key.slice(prefix.length)));
        continuationToken = answer.isTruncated ? answer.nextContinuationToken : undefined;
      } while (continuationToken && names.length < NAMES_MAX);
      return names;
    });
  }

  function size(name: string): Promise<number> {
    return explained(`does not give ${name}`, async () => (await client.stat(prefix + name)).size);
  }

  /**
   * In parts. Each piece is waited for until it is sent: without that Bun keeps what the network does not take yet,
   * 480 MB of a file of 400 MB, and so 88.
   *
   */
  function upload(name: string, path: string): Promise<void> {
    return explained(`does not take ${name}`, async () => {
      const writer = client.file(prefix + name).writer({ partSize: PART_BYTES, queueSize: 2, retry: 3 });
      for await (const piece of createReadStream(path, { highWaterMark: PART_BYTES / 8 })) {
        writer.write(piece);
        await writer.flush();
      }
      await writer.end();
    });
  }

  /** @param path must not exist. @returns the SHA-256 of what came */
  function download(name: string, path: string): Promise<string> {
    return explained(`does not give ${name}`, async () => {
      const file = openSync(path, 'wx', 0o600);
      try {
        return await readAll(name, (piece) => {
          for (let written = 0; written < piece.length; ) written += writeSync(file, piece, written);
        });
      } finally {
        closeSync(file);
      }
    });
  }

  /** The SHA-256 of an object, read back whole. */
  function checksum(name: string): Promise<string> {
    return explained(`does not give ${name}`, () => readAll(name, () => {}));
  }

  async function readAll(name: string, take: (piece: Uint8Array) => void): Promise<string> {
    const hash = new Bun.CryptoHasher('sha256');
    for await (const piece of client.file(prefix + name).stream()) {
      hash.update(piece);
      take(piece);
    }
    return hash.digest('hex');
  }

  async function writeText(name: string, text: string): Promise<void> {
    await explained(`does not take ${name}`, () => client.write(prefix + name, text));
  }

  /** `undefined` when there is no such object. */
  function readText(name: string): Promise<string | undefined> {
    return explained(`does not give ${name}`, async () => {
      const file = client.file(prefix + name);
      return (await file.exists()) ? file.text() : undefined;
    });
  }

  async function remove(name: string): Promise<void> {
    await explained(`does not remove ${name}`, () => client.delete(prefix + name));
  }

  async function explained<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${place} ${what}: ${reason}${code}`, { cause: error });
    }
  }
}
