import { join } from 'node:path';

const FOLDER = join(import.meta.dir, '../../../docs');

/** Markdown documents of docs/, by path within it: `install.md`, `commands/backup.md`. */
export type Documents = Record<string, string>;

/** Reads the documents from the executable, or from docs/ when the service runs from source. */
export async function findDocuments(): Promise<Documents> {
  const { prebuilt } = await import('../prebuilt.ts');
  return prebuilt?.documents ?? readDocuments();
}

export async function readDocuments(): Promise<Documents> {
  const paths = [...new Bun.Glob('**/*.md').scanSync(FOLDER)].toSorted();
  const texts = await Promise.all(paths.map((path) => Bun.file(join(FOLDER, path)).text()));
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? '']));
}
