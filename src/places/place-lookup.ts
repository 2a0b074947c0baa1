/** The place of an address, from database files on this machine: no address leaves the process. */
import type { IpAddress } from '../network/ip-address.ts';
import { isPublicAddress } from '../network/public-address.ts';
import { type Place, toPlace } from './place.ts';
import { openPackagedDatabase, openPlaceDatabase, type PlaceDatabase } from './place-database.ts';
import { watchDatabases } from './watch-databases.ts';

export type PlaceLookup = {
  /** Returns undefined for unknown, private and reserved addresses. Never throws. */
  placeOf(address: IpAddress): Place | undefined;
};

type Options = {
  /** Files in the MaxMind format, which are asked in this order before the packaged one. */
  paths?: readonly string[];
  /** Folder for copies of these files, which are removed at once. */
  folder?: string;
  /** Called when a file that replaces another cannot be used. The old one stays in use. */
  onFailure: (error: unknown) => void;
};

/** Interval of looking at the files. */
const WATCH_MS = 10_000;

/**
 * Opens the named files, and watches them until the process ends.
 *
 * @throws an error that names the first file that cannot be used, and the reason
 */
export async function openPlaceLookup({
  paths = [],
  folder = '.',
  onFailure,
}: Options): Promise<PlaceLookup> {
  const named: PlaceDatabase[] = [];
  for (const [index, path] of paths.entries()) named.push(await openPlaceDatabase(path, index, folder));
  if (paths.length > 0) setInterval(watchDatabases(paths, { named, folder, onFailure }), WATCH_MS).unref();
  return createPlaceLookup({ named, onFailure });
}

type Databases = {
  /** Asked in this order before the packaged one. */
  named?: readonly Pick<PlaceDatabase, 'reader'>[];
  onFailure: (error: unknown) => void;
};

/** The packaged file is opened with the first address that needs it: a start does not pay for it. */
export function createPlaceLookup({ named = [], onFailure }: Databases): PlaceLookup {
  let packaged: { database: Pick<PlaceDatabase, 'reader'> | undefined } | undefined;

  function openPackaged() {
    try {
      return openPackagedDatabase();
    } catch (error) {
      onFailure(error); // events are still stored, without a country
      return undefined;
    }
  }

  return {
    placeOf(address) {
      // Checked before the files, which know some of them: 203.0.113.0/24, an example network, is Australian there.
      if (!isPublicAddress(address)) return undefined;
      for (const database of named) {
        const record = findRecord(database, address);
        if (record) return toPlace(record);
      }
      packaged ??= { database: openPackaged() };
      return packaged.database && toPlace(findRecord(packaged.database, address));
    },
  };
}

/** A damaged file shows itself as an exception deep in the reader: for an event that is an unknown place. */
function findRecord({ reader }: Pick<PlaceDatabase, 'reader'>, address: IpAddress): unknown {
  // The reader would follow an IPv6 address into a tree of IPv4, and find something there.
  if (address.family === 'ipv6' && reader.metadata.ipVersion === 4) return undefined;
  try {
    return reader.get(address.text);
  } catch {
    return {};
  }
}
