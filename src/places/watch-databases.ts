import { openPlaceDatabase, type PlaceDatabase, signatureOf } from './place-database.ts';

type Watched = {
  /** The database of each path, replaced when its file is. */
  named: PlaceDatabase[];
  folder: string;
  onFailure: (error: unknown) => void;
};

/**
 * Opens files again when they were replaced or overwritten. A new file is opened once it was the same twice in a row: until
 * then it is being written. One that cannot be used is reported once, and the old one stays in use.
 *
 * @returns a function that looks at the files
 */
export function watchDatabases(paths: readonly string[], { named, folder, onFailure }: Watched) {
  const tried = named.map(({ signature }) => signature);
  const seen = [...tried];

  async function look(path: string, index: number): Promise<void> {
    const signature = await signatureOf(path).catch(() => ''); // absent between its removal and its return
    const isStable = signature !== '' && signature === seen[index];
    seen[index] = signature;
    if (!isStable || signature === tried[index]) return;
    tried[index] = signature;
    try {
      named[index] = await openPlaceDatabase(path, index, folder);
    } catch (error) {
      onFailure(
        new Error(`${error instanceof Error ? error.message : error}. The file before it stays in use.`),
      );
    }
  }

  return async () => void (await Promise.all(paths.map(look)));
}
