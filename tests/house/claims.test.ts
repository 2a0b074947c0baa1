import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

/** Claims of the documents that would go on standing there when they are no longer true. */

const ROOT = join(import.meta.dir, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sources = [...new Glob('src/**/*.ts').scanSync(ROOT)].toSorted();

test.each([
  ['full', 'sent one by one'],
  ['full x10', 'in batches of ten'],
])('the README tells the figure of the bench for %s', (row, sentence) => {
  const figure = new RegExp(`^\\| ${row} \\| ([\\d,]+) \\|`, 'm').exec(read('bench/README.md'))?.[1] ?? '';
  const thousands = Math.round(Number(figure.replaceAll(',', '')) / 1_000);
  expect(read('README.md')).toMatch(new RegExp(`\\b${thousands},000( events a second)? ${sentence}`));
});

test('schemas of queries only describe', () => {
  const routes = sources.filter(
    (path) => path.endsWith('routes.ts') || path.startsWith('src/metrics/reports/'),
  );
  const validated = routes.flatMap((path) =>
    [...read(path).matchAll(/^\s+query: (?!t\.NoValidate\()(?=t\.|[A-Z]).*/gm)].map(
      ([line]) => `${path}: ${line}`,
    ),
  );
  expect(validated).toEqual([]);
});

test.each([
  ['@elysiajs/jwt', ['src/accounts/tokens.ts']],
  ['@elysiajs/static', ['src/assets/static-files.ts']],
  ['@elysiajs/openapi', ['src/assets/openapi/document.ts']],
])('%s does what CONTRIBUTING says, and nothing else', (name, users) => {
  expect(sources.filter((path) => read(path).includes(`'${name}`))).toEqual(users);
});
