import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

test.each(['docs/security.md', 'docs/privacy.md', 'SECURITY.md'])(
  'the files that %s names are there',
  (path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const tests = [...text.matchAll(/`(?:tests\/)?([\w-]+(?:\/[\w-]+)*\.test\.tsx?)`/g)].map(
      ([, name = '']) => `tests/${name}`,
    );
    const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, name = '']) =>
      join(path.startsWith('docs/') ? 'docs' : '.', name),
    );
    const named = [...new Set([...tests, ...linked])];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  },
);

test('every link of a document leads to a file and, where it names one, to a heading in it', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...[...new Bun.Glob('docs/**/*.md').scanSync(ROOT)]];
  const broken = pages.flatMap((page) =>
    linksOf(page).filter(([path, heading]) => {
      if (!existsSync(join(ROOT, path))) return true;
      return heading !== undefined && path.endsWith('.md') && !headingsOf(path).includes(heading);
    }),
  );
  expect(broken).toEqual([]);
});

function linksOf(page: string): [path: string, heading: string | undefined][] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, to = '', heading]) => [
    to === '' ? page : join(dirname(page), to),
    heading,
  ]);
}

/** As a page of the repository names them. */
function headingsOf(path: string): string[] {
  return [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Lists that block trackers go by such names, and the dashboard is served from the same host. */
const BLOCKED_HOST = /\b(stats|analytics|tracking|track|metrics)\.(example|your)/;

test('no example has a host that lists of trackers block', () => {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];
  const sources = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(ROOT)];
  const blocked = [...pages, ...sources]
    .filter((path) => /\.(md|tsx?)$/.test(path))
    .filter((path) => BLOCKED_HOST.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(blocked).toEqual([]);
});
