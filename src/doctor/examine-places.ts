import { describePlaceDatabase } from '../places/place-database.ts';
import { DAY_MS } from '../vocabulary/durations.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

/** Publishers bring a file out each month or more often. */
const OLD_DAYS = 180;

/** Examines the files of GEO_DATABASE: whether they can be used, what they hold, and how old they are. */
export function examinePlaces(paths: readonly string[], nowMs: number): Promise<Finding[]> {
  return Promise.all(paths.map((path) => examineFile(path, nowMs)));
}

async function examineFile(path: string, nowMs: number): Promise<Finding> {
  try {
    const { type, madeAt, hasIpv4, hasIpv6 } = await describePlaceDatabase(path);
    const families = [...(hasIpv4 ? ['IPv4'] : []), ...(hasIpv6 ? ['IPv6'] : [])].join(' and ');
    const days = Math.floor((nowMs - madeAt.getTime()) / DAY_MS);
    const message = `${path} (${type || 'no type'}, ${families || 'no addresses'}) was made on ${madeAt.toISOString().slice(0, 10)}, ${days} days ago.`;
    return days > OLD_DAYS
      ? warn(
          'places',
          message,
          'Networks move: put a newer file in its place. The service reads it by itself.',
        )
      : ok('places', message);
  } catch (error) {
    return fault(
      'places',
      `${error instanceof Error ? error.message : error}.`,
      'Name a file in the MaxMind format, or none.',
    );
  }
}
