import { chmod, cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { description, license, version } from '../package.json';
import { describeRoutes } from '../src/assets/openapi/document.ts';
import { createDescribedApp } from './described-app.ts';
import { toTrackerModule } from './tracker-module.ts';

/**
 * `bun packages/build.ts [FOLDER]`: the packages for npm in dist/npm, made of this version. The owner of the names
 * publishes each with `npm publish`; in a workflow of GitHub they name the repository. Executables of dist/ become a
 * package each, which `npx pagemeter` finds.
 */

const HERE = import.meta.dir;
const TO = resolve(Bun.argv[2] ?? join(HERE, '../dist/npm'));
/** `owner/name`. */
const { GITHUB_REPOSITORY: repository } = process.env;
const TOOLS = join(HERE, 'node_modules/.bin');

const TARGETS: Record<string, { os: string; cpu: string; libc: string }> = {
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc' },
  'linux-x64-musl': { os: 'linux', cpu: 'x64', libc: 'musl' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  'linux-arm64-musl': { os: 'linux', cpu: 'arm64', libc: 'musl' },
};

await run([process.execPath, 'install', '--frozen-lockfile', '--silent'], HERE);
await rm(TO, { recursive: true, force: true });
await buildTracker();
await buildClient();
await buildProgram();
await buildPlugin();

type Manifest = Record<string, unknown> & { name: string };

async function writePackage(folder: string, manifest: Manifest): Promise<void> {
  const home = `https://github.com/${repository}`;
  const all = {
    version,
    license,
    type: 'module',
    keywords: ['analytics', 'web-analytics', 'privacy', 'self-hosted'],
    ...(repository && {
      repository: { type: 'git', url: `git+${home}.git` },
      homepage: `${home}#readme`,
      bugs: `${home}/issues`,
    }),
    ...manifest,
  };
  await Bun.write(join(folder, 'package.json'), `${JSON.stringify(all, undefined, 2)}\n`);
  await cp(join(HERE, '../LICENSE'), join(folder, 'LICENSE'));
}

/** The script of the server, started by a call instead of by a tag. */
async function buildTracker(): Promise<void> {
  const folder = join(TO, 'pagemeter-tracker');
  await Bun.write(join(folder, 'index.js'), await toTrackerModule());
  await cp(join(HERE, '../tracker/index.d.ts'), join(folder, 'types.d.ts'));
  const types = join(HERE, 'node_modules/.types');
  await emitTypes([join(HERE, 'tracker/index.ts')], types);
  const own = await Bun.file(join(types, 'packages/tracker/index.d.ts')).text();
  await Bun.write(join(folder, 'index.d.ts'), own.replaceAll('../../tracker/index.d.ts', './types.js'));
  await writePackage(folder, {
    name: 'pagemeter-tracker',
    description: 'The tracker of Pagemeter as a module: pageviews, links and events of your own.',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    sideEffects: false,
  });
  await cp(join(HERE, 'tracker/README.md'), join(folder, 'README.md'));
}

async function buildClient(): Promise<void> {
  const folder = join(TO, 'pagemeter-client');
  const source = join(TO, '.client');
  await cp(join(HERE, 'client'), source, { recursive: true });
  const { app, close } = await createDescribedApp();
  await Bun.write(join(source, 'openapi.json'), JSON.stringify(jsonAlone(await describeRoutes(app))));
  await close();
  await run([join(TOOLS, 'openapi-typescript'), 'openapi.json', '-o', 'api.d.ts'], source);
  await cp(join(HERE, 'node_modules/openapi-fetch'), join(source, 'node_modules/openapi-fetch'), {
    recursive: true,
    dereference: true,
  });
  await cp(
    join(HERE, 'node_modules/openapi-typescript-helpers'),
    join(source, 'node_modules/openapi-typescript-helpers'),
    { recursive: true, dereference: true },
  );
  await run(
    [
      join(TOOLS, 'tsc'),
      'index.ts',
      '--outDir',
      folder,
      '--declaration',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2023,dom',
    ],
    source,
  );
  await cp(join(source, 'api.d.ts'), join(folder, 'api.d.ts'));
  await rm(source, { recursive: true });
  const { dependencies } = (await Bun.file(join(HERE, 'package.json')).json()) as {
    dependencies: Record<string, string>;
  };
  await writePackage(folder, {
    name: 'pagemeter-client',
    description: 'A client of Pagemeter, typed from its OpenAPI document.',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    dependencies: { 'openapi-fetch': dependencies['openapi-fetch'] },
    engines: { node: '>=20' },
    sideEffects: false,
  });
  await cp(join(HERE, 'client/README.md'), join(folder, 'README.md'));
}

/** `npx pagemeter`: a small package that starts the one of this system. */
async function buildProgram(): Promise<void> {
  for (const [target, { os, cpu, libc }] of Object.entries(TARGETS)) {
    const executable = join(HERE, `../dist/pagemeter-${version}-${target}`);
    if (!(await Bun.file(executable).exists())) {
      console.log(`dist/ has no executable for ${target}; bun run release makes it.`);
      continue;
    }
    const folder = join(TO, `pagemeter-${target}`);
    await mkdir(folder, { recursive: true });
    await cp(executable, join(folder, 'pagemeter'));
    await chmod(join(folder, 'pagemeter'), 0o755);
    await writePackage(folder, {
      name: `pagemeter-${target}`,
      description: `The executable of Pagemeter for ${target}.`,
      os: [os],
      cpu: [cpu],
      libc: [libc],
    });
    const readme = `# pagemeter-${target}\n\nThe executable that the package [pagemeter](https://www.npmjs.com/package/pagemeter) starts on ${target}.\n`;
    await Bun.write(join(folder, 'README.md'), readme);
  }
  const folder = join(TO, 'pagemeter');
  await mkdir(folder, { recursive: true });
  await cp(join(HERE, 'pagemeter/pagemeter.js'), join(folder, 'pagemeter.js'));
  await writePackage(folder, {
    name: 'pagemeter',
    description,
    bin: { pagemeter: 'pagemeter.js' },
    engines: { node: '>=20' },
    optionalDependencies: Object.fromEntries(
      Object.keys(TARGETS).map((target) => [`pagemeter-${target}`, version]),
    ),
  });
  await cp(join(HERE, 'pagemeter/README.md'), join(folder, 'README.md'));
}

/** The plugin for WordPress, as the zip that its page for plugins takes. */
async function buildPlugin(): Promise<void> {
  if (!Bun.which('zip')) return console.log('There is no zip: the plugin for WordPress is left out.');
  await run(
    ['zip', '-q', '-r', join(TO, `pagemeter-wordpress-${version}.zip`), 'pagemeter'],
    join(HERE, 'wordpress'),
  );
}

/** An answer is JSON unless `format` asks for a file, which a typed client does not need. */
function jsonAlone(document: object): object {
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'content' && value['application/json']
      ? { 'application/json': value['application/json'] }
      : value,
  );
}

async function emitTypes(entries: string[], outDir: string): Promise<void> {
  await run(
    [
      join(TOOLS, 'tsc'),
      ...entries,
      '--outDir',
      outDir,
      '--rootDir',
      '..',
      '--declaration',
      '--emitDeclarationOnly',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'preserve',
      '--moduleResolution',
      'bundler',
      '--allowImportingTsExtensions',
      '--lib',
      'es2023,dom,dom.iterable',
    ],
    HERE,
  );
}

async function run(command: string[], cwd: string): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed.`);
}
