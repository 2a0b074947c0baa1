import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
/** Licences that ask for no more than their text to be kept. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'Unlicense',
  '0BSD',
]);

type Package = {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const read = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;

/** Every package that runs in production and is installed here: those of other systems are not. */
function* production(folder: string, seen = new Set<string>()): Generator<Package> {
  const found = read(folder);
  if (seen.has(`${found.name} ${found.version}`)) return;
  seen.add(`${found.name} ${found.version}`);
  yield found;
  for (const name of Object.keys({ ...found.dependencies, ...found.optionalDependencies })) {
    const home = locate(folder, name);
    if (home) yield* production(home, seen);
    else expect(found.optionalDependencies).toHaveProperty(name);
  }
}

function locate(folder: string, name: string): string | undefined {
  const here = join(folder, 'node_modules', name);
  if (existsSync(join(here, 'package.json'))) return here;
  return folder === ROOT ? undefined : locate(dirname(folder), name);
}

test('no package of production has a licence that reaches beyond it', () => {
  const packages = [...production(ROOT)];
  expect(packages.length).toBeGreaterThan(Object.keys(read(ROOT).dependencies ?? {}).length);
  const others = packages.filter(({ license }) => !ALLOWED.has(license ?? ''));
  expect(others.map(({ name, version, license }) => `${name} ${version}: ${license}`)).toEqual([]);
});

test('every package of ours is named by its exact version', () => {
  const { dependencies } = read(ROOT);
  for (const [name, version] of Object.entries(dependencies ?? {}))
    expect({ name, version }).toEqual({ name, version: expect.stringMatching(/^\d+\.\d+\.\d+[\w.-]*$/) });
});
