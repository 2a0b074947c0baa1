import { describe, expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';
import { Glob } from 'bun';

/**
 * Who may import whom. A folder may use itself and what is listed for it; the order of the list is the order of the
 * layers, so a cycle between folders cannot be written down.
 */
const MAY_IMPORT: Record<string, string[]> = {
  'contract/vocabulary': [],
  'analytics/vocabulary': [],
  contract: ['contract/vocabulary', 'analytics/vocabulary'],
  errors: ['contract/vocabulary'],
  setting: [],
  'backup-settings': ['setting'],
  'limit-settings': ['setting'],
  'operation-settings': ['setting'],
  config: ['backup-settings', 'limit-settings', 'operation-settings', 'setting'],
  garbage: [],
  'random-text': [],
  turns: ['errors'],
  db: ['contract/vocabulary', 'config'],
  'process-log': ['db'],
  log: ['db', 'contract/vocabulary'],
  backup: ['backup-settings', 'config', 'log', 'db'],
  http: ['contract', 'contract/vocabulary', 'errors'],
  limits: ['http', 'errors'],
  accounts: ['turns', 'random-text', 'http', 'db', 'contract', 'contract/vocabulary', 'errors'],
  websites: ['log', 'accounts', 'random-text', 'http', 'db', 'contract', 'contract/vocabulary', 'errors'],
  analytics: ['garbage', 'log', 'analytics/vocabulary', 'db', 'contract/vocabulary', 'errors'],
  events: [
    'garbage',
    'log',
    'websites',
    'accounts',
    'analytics',
    'http',
    'db',
    'contract',
    'contract/vocabulary',
    'errors',
  ],
  checks: [
    'events',
    'log',
    'websites',
    'accounts',
    'http',
    'db',
    'contract',
    'contract/vocabulary',
    'errors',
  ],
  metrics: [
    'turns',
    'log',
    'websites',
    'accounts',
    'analytics/vocabulary',
    'http',
    'db',
    'contract',
    'contract/vocabulary',
    'errors',
  ],
  assets: ['http', 'contract', 'contract/vocabulary', 'errors'],
  dashboard: ['contract/vocabulary', 'analytics/vocabulary'],
  demo: ['events', 'log', 'websites', 'accounts', 'http', 'db', 'contract', 'contract/vocabulary', 'errors'],
  operations: ['limits', 'log', 'http', 'db', 'contract', 'contract/vocabulary', 'errors'],
  doctor: ['backup', 'log', 'backup-settings', 'analytics', 'analytics/vocabulary', 'config', 'db'],
  app: ['*'],
  'start-warnings': ['http'],
  timers: ['*'],
  main: ['*'],
  cli: ['*'],
};

/** The folders of src/metrics: each may use those before it, types included. */
const METRICS_FOLDERS = ['time', 'question', 'files', 'answers', 'live', 'routes', 'plausible'];

/** Folders whose own circles of imports are being mended. A folder without one loses its line. */
const WITH_CIRCLES = [
  'src/analytics/', // redrawn as segments
];

const ROOT = join(import.meta.dir, '../..');
const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) };

describe('who may import whom', () => {
  for (const file of new Glob('src/**/*.{ts,tsx}').scanSync(ROOT)) {
    const from = layerOf(file);
    test(`${file} imports only from the layers below it`, async () => {
      const allowed = MAY_IMPORT[from];
      expect(allowed, `src/${from} is not in the table`).toBeDefined();
      const imported = await importedLayers(file);
      const wrong = imported.filter(
        (layer) => layer !== from && !allowed?.includes(layer) && !allowed?.includes('*'),
      );
      expect(wrong).toEqual([]);
    });
  }

  test('the tracker takes values from the vocabulary alone', async () => {
    for (const file of new Glob('tracker/**/*.ts').scanSync(ROOT)) {
      const outside = (await importedLayers(file)).filter((layer) => layer !== 'tracker');
      expect(outside.every((layer) => layer === 'contract/vocabulary')).toBe(true);
    }
  });
});

test('no circle of imports, types included', async () => {
  const imports = new Map<string, string[]>();
  for (const file of new Glob('src/**/*.{ts,tsx}').scanSync(ROOT))
    imports.set(file, await importedFiles(file));
  const isInCircle = (file: string) => {
    const reached = new Set(imports.get(file));
    for (const other of reached) for (const next of imports.get(other) ?? []) reached.add(next);
    return reached.has(file);
  };
  expect([...imports.keys()].filter(isInCircle).toSorted()).toEqual([]);
});

test('the folders of src/metrics use those before them', async () => {
  const wrong: string[] = [];
  for (const file of new Glob('src/metrics/*/*.ts').scanSync(ROOT)) {
    const rank = METRICS_FOLDERS.indexOf(file.split('/')[2] ?? '');
    const isAllowed = (path: string) => {
      const [, top, folder = ''] = path.split('/');
      return top !== 'metrics' || (METRICS_FOLDERS.indexOf(folder) <= rank && rank >= 0);
    };
    if (!(await importedFiles(file)).every(isAllowed)) wrong.push(file);
  }
  expect(wrong).toEqual([]);
});

/** Paths of the files that a file imports, in any way; without those of its own folder while that is being mended. */
async function importedFiles(file: string): Promise<string[]> {
  const code = await Bun.file(join(ROOT, file)).text();
  const isMended = (path: string) =>
    WITH_CIRCLES.some((folder) => file.startsWith(folder) && path.startsWith(folder));
  return [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => !isMended(path));
}

/** Layers of the relative imports of a file that carry values; type imports are erased and free. */
async function importedLayers(file: string): Promise<string[]> {
  const code = await Bun.file(join(ROOT, file)).text();
  return transpilers[file.endsWith('.tsx') ? 'tsx' : 'ts']
    .scanImports(code)
    .filter(({ path }) => path.startsWith('.') && /\.tsx?$/.test(path))
    .map(({ path }) => layerOf(relative(ROOT, join(ROOT, dirname(file), path))));
}

function layerOf(file: string): string {
  const [top, folder = '', name = ''] = file.replace(/\.tsx?$/, '').split('/');
  if (top !== 'src') return top ?? '';
  if (name === 'vocabulary') return `${folder}/vocabulary`;
  return folder;
}
