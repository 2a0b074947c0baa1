import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
