import { describe, expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';
import { Glob } from 'bun';

/**
 * Who may import whom. A folder may use itself and what is listed for it; the order of the list is the order of the
 * layers, so a cycle between folders cannot be written down.
 */
const MAY_IMPORT: Record<string, string[]> = {
  'contract/vocabulary': [],
  'contract/event-texts': ['contract/vocabulary'],
  'analytics/vocabulary': [],
  'contract/dimensions': [],
  contract: ['contract/dimensions', 'contract/event-texts', 'contract/vocabulary', 'analytics/vocabulary'],
  errors: ['contract/vocabulary'],
  setting: [],
  'backup-settings': ['setting'],
  'events-settings': ['setting'],
  'limit-settings': ['setting'],
  'operation-settings': ['setting'],
  'path-settings': ['setting'],
  config: [
    'backup-settings',
    'events-settings',
    'limit-settings',
    'operation-settings',
    'path-settings',
    'setting',
    'http',
  ],
  garbage: [],
  durations: [],
  'random-text': [],
  'same-secret': [],
  turns: ['errors'],
  threads: [],
  money: ['contract/vocabulary'],
  progress: [],
  patterns: ['contract/vocabulary'],
  'data-directory': [],
  db: ['contract/vocabulary', 'config'],
  'process-log': ['db'],
  log: ['threads', 'events-settings', 'db', 'contract/event-texts', 'contract/vocabulary'],
  backup: ['threads', 'backup-settings', 'config', 'log', 'db'],
  http: ['contract', 'contract/vocabulary', 'errors'],
  limits: ['http', 'errors'],
  accounts: [
    'turns',
    'random-text',
    'same-secret',
    'http',
    'db',
    'contract',
    'contract/vocabulary',
    'errors',
  ],
  websites: ['log', 'accounts', 'random-text', 'http', 'db', 'contract', 'contract/vocabulary', 'errors'],
  analytics: [
    'patterns',
    'money',
    'threads',
    'garbage',
    'log',
    'analytics/vocabulary',
    'events-settings',
    'db',
    'contract/vocabulary',
    'errors',
  ],
  goals: ['money', 'websites', 'accounts', 'http', 'db', 'contract', 'contract/vocabulary', 'errors'],
  saved: ['websites', 'accounts', 'http', 'db', 'contract', 'contract/vocabulary', 'errors'],
  events: [
    'garbage',
    'log',
    'websites',
    'accounts',
    'analytics',
    'http',
    'db',
    'contract',
    'contract/event-texts',
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
    'patterns',
    'money',
    'goals',
    'saved',
    'turns',
    'log',
    'websites',
    'accounts',
    'analytics/vocabulary',
    'http',
    'db',
    'contract/dimensions',
    'contract',
    'contract/vocabulary',
    'errors',
  ],
  assets: ['http', 'contract', 'contract/vocabulary', 'errors'],
  dashboard: ['contract/dimensions', 'contract/vocabulary', 'analytics/vocabulary'],
  demo: [
    'goals',
    'events',
    'log',
    'websites',
    'accounts',
    'http',
    'db',
    'contract',
    'contract/event-texts',
    'contract/vocabulary',
    'errors',
  ],
  move: ['log', 'analytics', 'analytics/vocabulary', 'db'],
  operations: [
    'same-secret',
    'limits',
    'analytics',
    'log',
    'http',
    'db',
    'contract',
    'contract/vocabulary',
    'errors',
  ],
  doctor: ['backup', 'log', 'backup-settings', 'analytics', 'analytics/vocabulary', 'config', 'db'],
  app: ['*'],
  'start-warnings': ['http'],
  timers: ['*'],
  serve: ['*'],
  main: ['*'],
  cli: ['*'],
};

/** The folders of src/metrics: each may use those before it, types included. */
const METRICS_FOLDERS = ['time', 'question', 'files', 'answers', 'live', 'routes', 'plausible'];

/**
 * The same within src/analytics, for types too. What writes segments and what reads them for a question know nothing of
 * each other; files beside the folders (questions, the engine, its thread) put them together.
 */
const ANALYTICS_MAY_IMPORT: Record<string, string[]> = {
  vocabulary: [],
  dimensions: ['vocabulary'],
  analytics: ['vocabulary'],
  derive: ['vocabulary'],
  collections: [],
  segment: ['vocabulary'],
  memory: ['segment'],
  dictionary: ['collections', 'dimensions', 'vocabulary'],
  write: ['dictionary', 'memory', 'segment', 'collections', 'derive', 'dimensions', 'vocabulary'],
  query: [
    'dictionary',
    'memory',
    'segment',
    'collections',
    'derive',
    'analytics',
    'dimensions',
    'vocabulary',
  ],
  reports: ['query', 'memory', 'segment', 'collections', 'derive', 'analytics', 'dimensions', 'vocabulary'],
  clickhouse: ['derive', 'analytics', 'dimensions', 'vocabulary'],
};

/** What others may import of the engine. */
const ANALYTICS_SEAM = ['analytics', 'vocabulary', 'open', 'clickhouse/open', 'clickhouse/engine'];
/** What lies in the engine is looked at by the doctor and the health check alone. */
const EXAMINERS = ['doctor', 'operations'];

function isOpenTo(layer: string, name: string): boolean {
  return ANALYTICS_SEAM.includes(name) || (name === 'examine' && EXAMINERS.includes(layer));
}

const ROOT = join(import.meta.dir, '../..');
const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) };

/** What says no more than a language's own words do. */
const EVERYWHERE = ['durations'];

describe('who may import whom', () => {
  for (const file of new Glob('src/**/*.{ts,tsx}').scanSync(ROOT)) {
    const from = layerOf(file);
    if (file.endsWith('.d.ts')) continue;
    test(`${file} imports only from the layers below it`, async () => {
      const allowed = MAY_IMPORT[from];
      expect(allowed, `src/${from} is not in the table`).toBeDefined();
      const imported = await importedLayers(file);
      const wrong = imported.filter(
        (layer) =>
          layer !== from && ![...(allowed ?? []), ...EVERYWHERE].includes(layer) && !allowed?.includes('*'),
      );
      expect(wrong).toEqual([]);
    });
  }

  test('others import the seam of the engine alone, types included', async () => {
    const wrong: string[] = [];
    for (const file of new Glob('src/**/*.{ts,tsx}').scanSync(ROOT)) {
      if (file.startsWith('src/analytics/')) continue;
      for (const path of await importedFiles(file)) {
        const name = path.match(/^src\/analytics\/(.*)\.ts$/)?.[1];
        if (name !== undefined && !isOpenTo(layerOf(file), name)) wrong.push(`${file} imports ${path}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('the tracker takes values from the vocabulary alone', async () => {
    for (const file of new Glob('tracker/**/*.ts').scanSync(ROOT)) {
      const outside = (await importedLayers(file)).filter((layer) => layer !== 'tracker');
      expect(outside.every((layer) => layer === 'contract/vocabulary')).toBe(true);
    }
  });
});

test('the folders of the engine import only from those below them, types included', async () => {
  const layerIn = (path: string) => path.split('/')[2]?.replace(/\.ts$/, '') ?? '';
  const wrong: string[] = [];
  for (const file of new Glob('src/analytics/**/*.ts').scanSync(ROOT)) {
    const allowed = ANALYTICS_MAY_IMPORT[layerIn(file)];
    if (!allowed) continue;
    for (const path of await importedFiles(file))
      if (path.startsWith('src/analytics/') && ![layerIn(file), ...allowed].includes(layerIn(path)))
        wrong.push(`${file} imports ${path}`);
  }
  expect(wrong).toEqual([]);
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

/** Paths of the files that a file imports, in any way, types included. */
async function importedFiles(file: string): Promise<string[]> {
  const code = await Bun.file(join(ROOT, file)).text();
  return [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
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
  return `${folder}/${name}` in MAY_IMPORT ? `${folder}/${name}` : folder; // a file may be a layer of its own
}
