import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Glob } from 'bun';

const ROOT = join(import.meta.dir, '../../src/dashboard');
const SHEETS = [...new Glob('**/*.css').scanSync(ROOT)].filter((sheet) => sheet !== 'styles/main.css');

test('every sheet is part of the style once', async () => {
  const main = await Bun.file(join(ROOT, 'styles/main.css')).text();
  const imported = [...main.matchAll(/@import "([^"]+)"/g)].map(([, path = '']) => join('styles', path));
  const inside = imported.filter((path) => !path.startsWith('..'));
  expect(inside.toSorted()).toEqual(SHEETS.toSorted());
});

test('a sheet with the name of a component stands beside it', () => {
  const ofComponents = SHEETS.filter((sheet) => /^[A-Z]/.test(basename(sheet)));
  expect(ofComponents.filter((sheet) => !existsSync(join(ROOT, sheet.replace(/css$/, 'tsx'))))).toEqual([]);
});
