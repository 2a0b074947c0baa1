import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { semver } from 'bun';
import bunfig from '../../bunfig.toml';
import { dependencies, devDependencies, engines } from '../../package.json';
import packaging from '../../packaging/package.json';

const ROOT = join(import.meta.dir, '../..');
const THREE_DAYS_S = 259_200;

test('the tests run on the Bun that package.json names', () => {
  expect(semver.satisfies(Bun.version, engines.bun)).toBe(true);
  expect(devDependencies['@types/bun'].split('.').slice(0, 2)).toEqual(
    engines.bun.slice(1).split('.').slice(0, 2),
  );
});

test.each([
  '.ci/run',
  'README.md',
  'docs/operations.md',
  '.github/workflows/release.yml',
  '.github/workflows/check.yml',
])('%s names the same version', (path) => {
  const named = [...readFileSync(join(ROOT, path), 'utf8').matchAll(/bun@(\d+\.\d+\.\d+)/g)];
  expect(named.length).toBeGreaterThan(0);
  expect([...new Set(named.map(([, version]) => `^${version}`))]).toEqual([engines.bun]);
});

test('an executable holds the Bun and the SQLite library that are tested', () => {
  for (const [name, version] of Object.entries(packaging.dependencies))
    expect({ name, version }).toEqual({
      name,
      version: name.startsWith('@oven/') ? engines.bun.slice(1) : dependencies.libsql,
    });
});

test('no package is added before it is three days old', () => {
  expect(bunfig.install.minimumReleaseAge).toBeGreaterThanOrEqual(THREE_DAYS_S);
});
