import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { SALT_BYTES, type SaltStore } from './visitor-salts.ts';

type Salt = { zone: string; day: number; bytes: Uint8Array };

/** Bytes of a record before the name of its zone: the length of the name, the day, the salt. */
const RECORD_BYTES = 1 + 4 + SALT_BYTES;

/**
 * Salts of the process that holds the database, in a small file that a restart reads. It is written over in place, so that
 * no earlier salt stays in free blocks of the file system.
 *
 * @param path undefined: in memory only
 * @param onError called when the file cannot be read or written; the salts then last until the process ends
 */
export function openSaltFile(path: string | undefined, onError: (error: unknown) => void): SaltStore {
  let salts = (path !== undefined && attempt(() => readSalts(path))) || [];

  return {
    open(zone, day) {
      let salt = salts.find((one) => one.zone === zone && one.day === day);
      if (!salt) {
        salt = { zone, day, bytes: crypto.getRandomValues(new Uint8Array(SALT_BYTES)) };
        salts.push(salt);
        save();
      }
      return salt.bytes.slice();
    },

    forget(isOver) {
      const over = salts.filter(({ zone, day }) => isOver(zone, day));
      if (over.length === 0) return;
      for (const { bytes } of over) bytes.fill(0);
      salts = salts.filter((salt) => !over.includes(salt));
      save();
    },
  };

  function save(): void {
    if (path !== undefined) attempt(() => writeSalts(path, salts));
  }

  function attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      onError(error);
      return undefined;
    }
  }
}

/** Reads the records of a file; of a torn one those that are whole. */
function readSalts(path: string): Salt[] {
  const file = readIfPresent(path);
  const salts: Salt[] = [];
  for (let at = 0; at + RECORD_BYTES <= file.length; ) {
    const nameLength = file[at] as number; // within the file
    const nameAt = at + RECORD_BYTES;
    if (nameLength === 0 || nameAt + nameLength > file.length) break;
    salts.push({
      zone: file.toString('latin1', nameAt, nameAt + nameLength),
      day: file.readInt32LE(at + 1),
      bytes: Uint8Array.from(file.subarray(at + 5, nameAt)),
    });
    at = nameAt + nameLength;
  }
  file.fill(0);
  return salts;
}

function readIfPresent(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return Buffer.alloc(0); // as fs reports it
    throw error;
  }
}

function writeSalts(path: string, salts: readonly Salt[]): void {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const size = salts.reduce((sum, { zone }) => sum + RECORD_BYTES + zone.length, 0);
    // Zeros overwrite what a longer file held behind the records.
    const bytes = Buffer.alloc(Math.max(size, fstatSync(file).size));
    let at = 0;
    for (const salt of salts) {
      bytes[at] = salt.zone.length;
      bytes.writeInt32LE(salt.day, at + 1);
      bytes.set(salt.bytes, at + 5);
      at += RECORD_BYTES + bytes.write(salt.zone, at + RECORD_BYTES, 'latin1');
    }
    writeSync(file, bytes, 0, bytes.length, 0);
    fsyncSync(file);
    ftruncateSync(file, size);
    bytes.fill(0);
  } finally {
    closeSync(file);
  }
}
