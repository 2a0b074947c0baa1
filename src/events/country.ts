/** The country of an address, from a database file on this machine: no address leaves the process. */
import { readFileSync } from 'node:fs';
import packagedFile from '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb' with {
  type: 'file',
};
import type { Reader, Response } from 'mmdb-lib';
import type { IpAddress } from '../network/ip-address.ts';
import { isPublicAddress } from '../network/public-address.ts';

export type CountryLookup = {
  /** ISO 3166-1 alpha-2, upper case; undefined for unknown, private and reserved. Never throws. */
  countryOf(address: IpAddress): string | undefined;
};

type CountryDatabaseOptions = {
  /** Another file in the MaxMind format; by default the one of the installed package. */
  path?: string | undefined;
  /** Called once if the file cannot be read. From then on every country is unknown, and events are still stored. */
  onFailure?: (error: unknown) => void;
};

const COUNTRY_CODE = /^[A-Z]{2}$/;

/**
 * Opens nothing yet: the first address that needs the file reads it, so a start does not pay for it.
 *
 * The file is read into memory and not mapped. `Bun.mmap` keeps 5 MB fewer resident, but it opens for
 * writing, which a service user may not do to a package installed by root, and a file truncated under the
 * map (a copy over it) ends the process with SIGBUS.
 */
export function openCountryDatabase(options: CountryDatabaseOptions = {}): CountryLookup {
  let state: { reader: Reader<Response> | undefined } | undefined;
  return {
    countryOf(address) {
      // Checked before the file, which knows some of them: 203.0.113.0/24, an example network, is Australian there.
      if (!isPublicAddress(address)) return undefined;
      state ??= { reader: loadReader(options) };
      return state.reader && findCountry(state.reader, address);
    },
  };
}

/** Why a file is not a country database, as a sentence. */
export function findCountryDatabaseFault(path: string): string | undefined {
  try {
    if (isMaxMind(readFileSync(path))) return undefined;
    return `GEO_DATABASE ${path} is not in the MaxMind format (.mmdb, not compressed).`;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    return `GEO_DATABASE ${path} cannot be read: ${reason}`;
  }
}

function loadReader({ path, onFailure }: CountryDatabaseOptions): Reader<Response> | undefined {
  try {
    // `require` has no type of its own; here it loads the package on first use instead of at the start.
    const { Reader } = require('mmdb-lib') as typeof import('mmdb-lib');
    return new Reader(path === undefined ? readPackaged() : readFileSync(path), {
      cache: createRecordCache(),
    });
  } catch (error) {
    onFailure?.(error);
    return undefined;
  }
}

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

/** Marker near the end of every database in the MaxMind format. */
const METADATA_START = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const METADATA_BYTES_MAX = 128 * 1024;

/** An executable may hold it compressed. */
function readPackaged(): Buffer {
  const bytes = readFileSync(packagedFile);
  return isMaxMind(bytes) ? bytes : Bun.zstdDecompressSync(bytes);
}

function isMaxMind(bytes: Buffer): boolean {
  return bytes.subarray(-METADATA_BYTES_MAX).includes(METADATA_START);
}

/** A damaged file shows itself as an exception deep in the reader: for an event that is an unknown country. */
function findCountry(reader: Reader<Response>, address: IpAddress): string | undefined {
  try {
    return toCountryCode(reader.get(address.text));
  } catch {
    return undefined;
  }
}

/** The packaged file has `country_code`; GeoLite2, DB-IP and others have `country.iso_code`. */
function toCountryCode(record: unknown): string | undefined {
  if (!isRecord(record)) return undefined;
  const code = record.country_code ?? (isRecord(record.country) ? record.country.iso_code : undefined);
  return typeof code === 'string' && COUNTRY_CODE.test(code) ? code : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
