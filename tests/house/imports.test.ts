import { describe, expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';
import { Glob } from 'bun';

/**
 * Who may import whom. A folder may use itself and what is listed for it; the order of the list is the order of the
 * layers, so a cycle between folders cannot be written down.
 */
const MAY_IMPORT: Record<string, string[]> = {
  vocabulary: [],
  process: ['vocabulary'],
  network: [],
  places: ['network', 'vocabulary'],
  settings: ['network', 'vocabulary'],
  patterns: ['process', 'vocabulary'],
  contract: ['vocabulary'],
  db: ['process', 'settings', 'vocabulary'],
  'process-log': ['db'],
  log: ['process', 'settings', 'db', 'vocabulary'],
  sums: ['log', 'db', 'vocabulary'],
  backup: ['process', 'settings', 'log', 'db', 'vocabulary'],
  http: ['network', 'contract', 'vocabulary'],
  limits: ['network', 'http', 'vocabulary'],
  accounts: ['process', 'http', 'db', 'contract', 'vocabulary'],
  access: ['accounts', 'http', 'db', 'contract', 'vocabulary'],
  websites: [
    'network',
    'sums',
    'log',
    'access',
    'accounts',
    'process',
    'http',
    'db',
    'contract',
    'vocabulary',
  ],
  analytics: ['patterns', 'process', 'log', 'settings', 'db', 'vocabulary'],
  storage: ['analytics', 'log', 'settings', 'db', 'vocabulary'],
  goals: ['websites', 'access', 'accounts', 'http', 'db', 'contract', 'vocabulary'],
  saved: ['process', 'websites', 'access', 'accounts', 'http', 'db', 'contract', 'vocabulary'],
  events: [
    'process',
    'log',
    'websites',
    'access',
    'accounts',
    'analytics',
    'network',
    'places',
    'http',
    'db',
    'contract',
    'vocabulary',
  ],
  checks: [
    'events',
    'log',
    'websites',
    'access',
    'accounts',
    'network',
    'http',
    'db',
    'contract',
    'vocabulary',
  ],
  metrics: [
    'sums',
    'patterns',
    'places',
    'goals',
    'saved',
    'process',
    'log',
    'websites',
    'access',
    'accounts',
    'network',
    'http',
    'db',
    'contract',
    'vocabulary',
  ],
  members: ['metrics', 'access', 'accounts', 'process', 'http', 'db', 'contract', 'vocabulary'],
  assets: ['http', 'contract', 'vocabulary'],
  dashboard: ['vocabulary'],
  demo: ['goals', 'events', 'log', 'websites', 'accounts', 'http', 'db', 'contract', 'vocabulary'],
  imports: [
    'sums',
    'access',
    'events',
    'log',
    'websites',
    'accounts',
    'network',
    'places',
    'http',
    'db',
    'contract',
    'vocabulary',
  ],
  exports: [
    'metrics',
    'backup',
    'goals',
    'saved',
    'access',
    'accounts',
    'analytics',
    'log',
    'websites',
    'process',
    'settings',
    'http',
    'db',
    'contract',
    'vocabulary',
  ],
  move: ['log', 'analytics', 'db', 'vocabulary'],
  operations: ['process', 'network', 'limits', 'analytics', 'log', 'http', 'db', 'contract', 'vocabulary'],
  doctor: ['places', 'backup', 'log', 'analytics', 'settings', 'db', 'vocabulary'],
  'start-warnings': ['network', 'http'],
  app: ['*'],
  timers: ['*'],
  serve: ['*'],
  main: ['*'],
  cli: ['*'],
};

/**
 * The folders of src/metrics: each may use those before it, types included. The dashboard takes the types of a report's
 * answer from its file in `reports`; types are erased, so no code of the server reaches a page.
 */
const METRICS_FOLDERS = ['time', 'question', 'files', 'answers', 'live', 'routes', 'reports', 'plausible'];

/**
 * The rooms of src/dashboard: each may use those before it, types included. The state of a page is pure; feature rooms
 * know the state, and pages put them together.
 */
const DASHBOARD_ROOMS = [
  'browser',
  'state',
  'api',
  'components',
  'marks',
  'charts',
  'map',
  'revenue',
  'filters',
  'period',
  'imported',
  'overview',
  'panels',
  'people',
  'websites',
  'website',
  'report',
  'share',
  'goals',
  'funnels',
  'retention',
  'attribution',
  'journeys',
  'realtime',
  'settings',
  'imports',
  'install',
  'account',
  'members',
  'pages',
];

/**
 * Imports allowed within src/analytics, types too. Writing segments and reading them for a question are independent of
 * each other; files next to the folders (questions, the engine, its thread) put them together.
 */
const ANALYTICS_MAY_IMPORT: Record<string, string[]> = {
  dimensions: [],
  interface: [],
  analytics: ['interface'],
  derive: [],
  collections: [],
  segment: ['dimensions'],
  memory: ['segment'],
  dictionary: ['collections', 'dimensions'],
  write: ['dictionary', 'memory', 'segment', 'collections', 'derive', 'dimensions'],
  query: ['dictionary', 'memory', 'segment', 'collections', 'derive', 'analytics', 'interface', 'dimensions'],
  reports: ['query', 'memory', 'segment', 'collections', 'derive', 'analytics', 'interface', 'dimensions'],
  methods: ['analytics'],
  clickhouse: ['derive', 'analytics', 'interface', 'methods', 'dimensions'],
};

/** The only files of src/analytics that are open to all other folders: the interface of an engine. */
const ANALYTICS_SEAM = /^(analytics|interface\/.*)$/;
/** Further files of src/analytics, and who may import them: src/storage opens the engines, the doctor examines one. */
const ANALYTICS_OPEN_TO: Record<string, string[]> = {
  storage: ['embedded/open', 'clickhouse/engine', 'clickhouse/derived', 'clickhouse/rederive'],
  doctor: ['embedded/open', 'embedded/examine'],
  operations: ['embedded/examine'],
};
/** Files of src/log that know an engine. Only src/storage chooses between them. */
const ENGINE_LOGS = /^src\/log\/(clickhouse\/|local-log|remote-log|reader)/;

function isOpenTo(layer: string, name: string): boolean {
  return ANALYTICS_SEAM.test(name) || ANALYTICS_OPEN_TO[layer]?.includes(name) === true;
}

const ROOT = join(import.meta.dir, '../..');
const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) };

describe('who may import whom', () => {
  for (const file of new Glob('src/**/*.{ts,tsx}').scanSync(ROOT)) {
    const from = layerOf(file);
    if (file.endsWith('.d.ts')) continue;
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

  test('only src/storage chooses where events are kept', async () => {
    const wrong: string[] = [];
    for (const file of new Glob('src/**/*.{ts,tsx}').scanSync(ROOT)) {
      if (['storage', 'log', 'analytics'].includes(layerOf(file))) continue;
      for (const path of await importedValues(file))
        if (ENGINE_LOGS.test(path)) wrong.push(`${file} imports ${path}`);
    }
    expect(wrong).toEqual([]);
  });

  test('the tracker takes values from the vocabulary alone', async () => {
    for (const file of new Glob('tracker/**/*.ts').scanSync(ROOT)) {
      const outside = (await importedLayers(file)).filter((layer) => layer !== 'tracker');
      expect(outside.every((layer) => layer === 'vocabulary')).toBe(true);
    }
  });
});

test('the folders of the engine import only from those below them, types included', async () => {
  const layerIn = (path: string) => path.replace('/embedded/', '/').split('/')[2]?.replace(/\.ts$/, '') ?? '';
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

test('the rooms of src/dashboard use those before them', async () => {
  const roomOf = (path: string) => DASHBOARD_ROOMS.indexOf(path.split('/')[2] ?? '');
  const wrong: string[] = [];
  for (const file of new Glob('src/dashboard/*/*.{ts,tsx}').scanSync(ROOT))
    for (const path of await importedFiles(file)) {
      if (!/^src\/dashboard\/.*\.tsx?$/.test(path)) continue;
      if (roomOf(path) < 0 || roomOf(path) > roomOf(file)) wrong.push(`${file} imports ${path}`);
    }
  expect(wrong.toSorted()).toEqual([]);
});

/** Paths of the files that a file imports, in any way, types included. */
async function importedFiles(file: string): Promise<string[]> {
  const code = await Bun.file(join(ROOT, file)).text();
  return [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
}

/** Returns the layers of the files that a file imports values from. */
async function importedLayers(file: string): Promise<string[]> {
  return (await importedValues(file)).map(layerOf);
}

/** Returns the paths of the files that a file imports values from; type imports are erased and free. */
async function importedValues(file: string): Promise<string[]> {
  const code = await Bun.file(join(ROOT, file)).text();
  return transpilers[file.endsWith('.tsx') ? 'tsx' : 'ts']
    .scanImports(code)
    .filter(({ path }) => path.startsWith('.') && /\.tsx?$/.test(path))
    .map(({ path }) => relative(ROOT, join(ROOT, dirname(file), path)));
}

function layerOf(file: string): string {
  const [top, folder = '', name = ''] = file.replace(/\.tsx?$/, '').split('/');
  if (top !== 'src') return top ?? '';
  return `${folder}/${name}` in MAY_IMPORT ? `${folder}/${name}` : folder; // a file may be a layer of its own
}
