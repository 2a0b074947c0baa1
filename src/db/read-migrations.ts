import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import journal from '../../drizzle/meta/_journal.json';

const FOLDER = join(import.meta.dir, '../../drizzle');

/**
 * Reads the texts of drizzle/ in the order of its journal. A macro: it runs when the code is transpiled, so the executable
 * holds the texts.
 */
export function readMigrations(): { text: string; createdAtMs: number }[] {
  return journal.entries.map(({ tag, when }) => ({
    text: readFileSync(join(FOLDER, `${tag}.sql`), 'utf8'),
    createdAtMs: when,
  }));
}
