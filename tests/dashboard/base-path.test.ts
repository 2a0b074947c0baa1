import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../src/dashboard');
/** An address of this application that the browser is given as it stands. */
const BARE =
  /\b(href|src)=("\/|\{addressOf\(|\{`\/)|\bfetch\((API_PREFIX|['`]\/|`\$\{API_PREFIX)|\blocation\.origin\b/;

/** The place itself, and tags for pages of other servers. */
const OTHERS = ['browser/base-path.ts', 'install/recipes.ts'];

test('every address of the dashboard is put below the base path, in one place', () => {
  const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(ROOT)].filter((path) => !OTHERS.includes(path));
  expect(files.filter((path) => BARE.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});
