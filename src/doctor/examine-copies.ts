import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile, readChecksum } from '../backup/checksum.ts';
import { isCopyName, whatIsAt } from '../backup/files.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

type State = 'as made' | 'changed' | 'unknown' | 'gone';

/** Reads each copy in some directories, and compares it with its checksum. */
export function examineCopies(directories: readonly string[]): Finding[] {
  const paths = [...new Set(directories)].flatMap(listCopies);
  const states = paths.map((path) => ({ path, state: judge(path) }));
  const those = (wanted: State) => states.filter(({ state }) => state === wanted).map(({ path }) => path);
  const [changed, unknown, asMade] = [those('changed'), those('unknown'), those('as made')];
  if (changed.length > 0)
    return [
      fault(
        'copies',
        `Copies that are not what their .sha256 says: ${changed.join(', ')}.`,
        'Remove them, and make another one: pagemeter backup',
      ),
    ];
  if (unknown.length > 0)
    return [
      warn(
        'copies',
        `Copies without a .sha256: ${unknown.join(', ')}.`,
        'An earlier version made them, or they were moved alone. restore takes them, and says so.',
      ),
    ];
  return asMade.length > 0
    ? [ok('copies', `Copies that are what their .sha256 says: ${asMade.length}.`)]
    : [];
}

function listCopies(directory: string): string[] {
  if (whatIsAt(directory) !== 'directory') return [];
  return readdirSync(directory)
    .filter(isCopyName)
    .sort()
    .map((name) => join(directory, name));
}

/** Examines a copy. A backup made at the same time may remove the oldest one. */
function judge(path: string): State {
  try {
    const expected = readChecksum(path);
    if (expected === undefined) return whatIsAt(path) === 'file' ? 'unknown' : 'gone';
    return hashFile(path) === expected ? 'as made' : 'changed';
  } catch {
    return whatIsAt(path) === 'file' ? 'changed' : 'gone';
  }
}
