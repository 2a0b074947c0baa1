import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

setDefaultTimeout(300_000); // the packages are built, with the types of the whole API

const ROOT = join(import.meta.dir, '../..');
const RECIPES = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8');
const PACKAGES = ['pagemeter-tracker', 'pagemeter-client', 'pagemeter'];
const EXTENSIONS: Record<string, string> = { js: 'js', ts: 'ts', tsx: 'tsx', svelte: 'js' };

/** Types that the recipes use from frameworks that are not installed here. */
const FRAMEWORKS = `
  declare module 'next/script' {
    export default function Script(props: { src: string; strategy?: 'afterInteractive' } & { [data: \`data-\${string}\`]: string }): null;
  }
  declare module 'svelte' { export function onMount(run: () => void): void; }
  declare namespace React { type ReactNode = import('preact').ComponentChildren; }
  declare function defineNuxtPlugin(run: () => void): unknown;
  declare function $props(): { children: unknown };
`;
const OPTIONS = {
  strict: true,
  noEmit: true,
  checkJs: true,
  skipLibCheck: false,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  jsx: 'react-jsx',
  jsxImportSource: 'preact',
};

const folder = mkdtempSync(join(tmpdir(), 'pagemeter-recipes-'));
const built = join(folder, 'built');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, join(ROOT, 'packages/build.ts'), built], {
    env: { ...process.env, GITHUB_REPOSITORY: 'owner/name' },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
});

test('every recipe compiles with the packages', () => {
  const blocks = [...RECIPES.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language = '', text = '']) => ({
    extension: EXTENSIONS[language],
    text: language === 'svelte' ? (/<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? '') : text,
  }));
  const checked = blocks.filter(({ extension }) => extension !== undefined);
  expect(blocks.length - checked.length).toBe(1); // Astro's is a tag
  for (const [index, { extension, text }] of checked.entries())
    writeFileSync(join(folder, `recipe-${index}.${extension}`), text);
  writeFileSync(join(folder, 'frameworks.d.ts'), FRAMEWORKS);
  const files = readdirSync(folder).filter((name) => /\.(js|tsx?)$/.test(name));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of ['pagemeter-tracker', 'pagemeter-client'])
    symlinkSync(join(built, name), join(modules, name));
  symlinkSync(join(ROOT, 'node_modules/preact'), join(modules, 'preact'));
  // The client looks for it from where it really is.
  mkdirSync(join(built, 'node_modules'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(ROOT, 'packages/node_modules', name), join(built, 'node_modules', name));
  const compiler = Bun.spawnSync([join(ROOT, 'node_modules/.bin/tsc'), '--project', folder], { cwd: folder });
  expect(compiler.stdout.toString()).toBe('');
  expect(compiler.exitCode).toBe(0);
});

test.each(PACKAGES)('the package %s says what it is, and where it comes from', (name) => {
  const manifest = JSON.parse(readFileSync(join(built, name, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name,
    license: 'MIT',
    description: expect.any(String),
    keywords: expect.arrayContaining(['analytics']),
    repository: { type: 'git', url: 'git+https://github.com/owner/name.git' },
    homepage: 'https://github.com/owner/name#readme',
    bugs: 'https://github.com/owner/name/issues',
  });
  expect(readdirSync(join(built, name))).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
});
