import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { dependencies } from '../../package.json';
import { production } from '../../packaging/notices.ts';

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

test('no package of production has a licence that reaches beyond it', () => {
  const packages = [...production(ROOT)].map(({ found }) => found);
  expect(packages.length).toBeGreaterThan(Object.keys(dependencies).length);
  const others = packages.filter(({ license }) => !ALLOWED.has(license ?? ''));
  expect(others.map(({ name, version, license }) => `${name} ${version}: ${license}`)).toEqual([]);
});

test('every package of ours is named by its exact version', () => {
  for (const [name, version] of Object.entries(dependencies))
    expect({ name, version }).toEqual({ name, version: expect.stringMatching(/^\d+\.\d+\.\d+[\w.-]*$/) });
});
