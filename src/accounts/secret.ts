import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const SECRET_BYTES = 32;
const SECRET_LENGTH_MIN = 32;

/**
 * The secret that signs tokens: JWT_SECRET when configured, else the file `secret` in the data directory, made on
 * the first start. Without a data directory (a database in memory) each process has its own.
 *
 * @throws Error with a sentence when the file is too short, or open to other users of the machine
 */
export function loadSecret({
  configured,
  dataDir,
}: {
  configured: string | undefined;
  dataDir: string | undefined;
}): string {
  if (configured !== undefined) return configured;
  if (dataDir === undefined) return randomSecret();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'secret');
  return readSecret(path) ?? createSecret(path);
}

function readSecret(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if ((stat.mode & 0o077) !== 0)
    throw new Error(`${path} can be read by other users of this machine; run: chmod 600 ${path}`);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < SECRET_LENGTH_MIN)
    throw new Error(
      `${path} holds no usable secret; delete it to have a new one made (everybody has to log in again).`,
    );
  return secret;
}

/**
 * Written under another name and then linked into place: two processes that start together end with the same
 * secret, and neither a crash nor a reader can meet a half-written one.
 */
function createSecret(path: string): string {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, `${randomSecret()}\n`);
    fsyncSync(file);
    linkSync(draft, path);
    syncDirectory(join(path, '..'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
  const secret = readSecret(path);
  if (secret === undefined) throw new Error(`${path} was removed while it was read.`);
  return secret;
}

/** The name of the file is durable only when its directory is. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function randomSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64url');
}
