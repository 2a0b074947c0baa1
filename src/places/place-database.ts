import { readFileSync, statSync } from 'node:fs';
import { chmod, copyFile, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import packagedFile from '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb' with {
  type: 'file',
};
import type { Reader, Response } from 'mmdb-lib';
import { toPlace } from './place.ts';

export type PlaceDatabase = {
  reader: Reader<Response>;
  /** Differs when the file has been replaced or overwritten. */
  signature: string;
};

/**
 * Opens a copy of a file. The copy is mapped into memory, which takes 2 MB for a file of 70 MB, and then loses its name: a
 * file that is cut short under its map would end the process with SIGBUS, and nothing else can write to this one.
 *
 * @param index number of the file, for the name of the copy
 * @param folder where the copy takes space
 * @throws an error that names the setting, the file and the reason
 */
export async function openPlaceDatabase(path: string, index: number, folder: string): Promise<PlaceDatabase> {
  const copy = join(folder, `places-${index}.mmdb`);
  try {
    const signature = await signatureOf(path);
    await rm(copy, { force: true }); // of a process that was killed
    await copyFile(path, copy);
    await chmod(copy, 0o600); // a copy of a file that may only be read could not be mapped
    const reader = openReader(mapFile(copy));
    const fault = findFault(reader);
    if (fault !== undefined) throw new UnusableFile(fault);
    return { reader, signature };
  } catch (error) {
    throw toRefusal(path, error);
  } finally {
    await rm(copy, { force: true });
  }
}

export type PlaceDatabaseDescription = { type: string; madeAt: Date; hasIpv4: boolean; hasIpv6: boolean };

/** @throws as openPlaceDatabase */
export async function describePlaceDatabase(path: string): Promise<PlaceDatabaseDescription> {
  try {
    const reader = openReader(await readFile(path));
    const fault = findFault(reader);
    if (fault !== undefined) throw new UnusableFile(fault);
    const { databaseType, buildEpoch, ipVersion } = reader.metadata;
    return {
      type: databaseType,
      madeAt: buildEpoch,
      hasIpv4: SAMPLES_IPV4.some((address) => reader.get(address) !== null),
      hasIpv6: ipVersion === 6 && SAMPLES_IPV6.some((address) => reader.get(address) !== null),
    };
  } catch (error) {
    throw toRefusal(path, error);
  }
}

/** An executable may hold it compressed. It is not mapped: that needs the right to write, which a service lacks there. */
export function openPackagedDatabase(): Pick<PlaceDatabase, 'reader'> {
  const bytes = readFileSync(packagedFile);
  return { reader: openReader(isMaxMind(bytes) ? bytes : Bun.zstdDecompressSync(bytes)) };
}

/** @throws when there is no file */
export async function signatureOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeMs } = await stat(path);
  return [dev, ino, size, mtimeMs].join(' ');
}

function mapFile(path: string): Buffer {
  if (statSync(path).size === 0) throw new UnusableFile('it is empty'); // cannot be mapped
  return Buffer.from(Bun.mmap(path, { shared: false }).buffer);
}

function openReader(bytes: Buffer): Reader<Response> {
  if (!isMaxMind(bytes))
    throw new UnusableFile('it is cut short, compressed, or not in the MaxMind format (.mmdb)');
  // `require` has no type of its own; here it loads the package on first use instead of at the start.
  const { Reader } = require('mmdb-lib') as typeof import('mmdb-lib');
  return new Reader(bytes, { cache: createRecordCache() });
}

/** Marker near the end of every database in the MaxMind format. */
const METADATA_START = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const METADATA_BYTES_MAX = 128 * 1024;

function isMaxMind(bytes: Buffer): boolean {
  return bytes.subarray(-METADATA_BYTES_MAX).includes(METADATA_START);
}

/** Addresses all over the networks in use. */
const SAMPLES = Array.from({ length: 256 }, (_, index) => index);
const SAMPLES_IPV4 = SAMPLES.map((index) => `${index}.${(index * 37) % 256}.1.1`);
const SAMPLES_IPV6 = SAMPLES.map((index) => `2${(index * 7).toString(16).padStart(3, '0')}:${index * 97}::1`);

/** A database of networks or of something else has records, but no countries. */
function findFault(reader: Reader<Response>): string | undefined {
  const { ipVersion, databaseType } = reader.metadata;
  const addresses = ipVersion === 6 ? [...SAMPLES_IPV4, ...SAMPLES_IPV6] : SAMPLES_IPV4;
  const records = addresses.map((address) => reader.get(address)).filter((record) => record !== null);
  if (records.length === 0 || records.some((record) => toPlace(record))) return undefined;
  return `it holds no countries (its type is ${databaseType || 'not given'})`;
}

/** Anything but an own error or one of the file system comes out of the reader. */
function toRefusal(path: string, error: unknown): Error {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined;
  const reason = error instanceof UnusableFile ? error.message : (code ?? 'it is cut short or damaged');
  return new Error(`GEO_DATABASE ${path} cannot be used: ${reason}`);
}

class UnusableFile extends Error {}

/** Records that are kept unpacked, by their place in the file. One of countries has some 250, one of cities many more. */
const RECORDS_MAX = 1_024;

function createRecordCache() {
  const records = new Map<string | number, unknown>();
  return {
    get: (offset: string | number) => records.get(offset),
    set(offset: string | number, record: unknown) {
      if (records.size >= RECORDS_MAX) records.clear();
      records.set(offset, record);
    },
  };
}
