import { join } from 'node:path';
import type { BunPlugin } from 'bun';
import { bundleBrowserFiles } from '../src/assets/browser-files.ts';
import type { Prebuilt } from '../src/assets/prebuilt.ts';
import { bundleTracker } from '../src/assets/tracker-script.ts';
import { collectNotices } from './notices.ts';
import type { Target } from './targets.ts';

const SRC = join(import.meta.dir, '../src');

/** The program first, then the threads that it starts by path. */
const ENTRIES = [
  'main.ts',
  'analytics/worker.ts',
  'log/read-worker.ts',
  'backup/write-through-worker.ts',
].map((path) => join(SRC, path));

/**
 * One file that holds Bun, the program and all that it reads: pages and tracker ready made, migrations, documents, the
 * country file and SQLite's library.
 *
 * @throws AggregateError with the bundler's words
 */
export async function buildExecutable({ name, bun, library }: Target, path: string): Promise<void> {
  const prebuilt: Prebuilt = {
    trackers: { on: await bundleTracker(true), off: await bundleTracker(false) },
    browserFiles: await bundleBrowserFiles(),
    notices: await collectNotices(),
  };
  await Bun.build({
    entrypoints: ENTRIES,
    compile: {
      target: `bun-${name}`,
      executablePath: bun, // without it Bun would download one
      outfile: path,
      autoloadDotenv: true,
      autoloadBunfig: false,
    },
    format: 'esm',
    minify: true,
    bytecode: true, // 8 MB more, and a start takes half the time
    sourcemap: 'none',
    plugins: [replacePrebuilt(prebuilt), nameLibrary(library)],
  });
}

function replacePrebuilt(prebuilt: Prebuilt): BunPlugin {
  return {
    name: 'prebuilt',
    setup(build) {
      build.onLoad({ filter: /\/src\/assets\/prebuilt\.ts$/ }, () => ({
        contents: `export const prebuilt = ${JSON.stringify(prebuilt)};`,
        loader: 'js',
      }));
    },
  };
}

/** libsql puts the name of its library together when it runs, where a bundler cannot see it. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: that is what the source says
const CHOICE = 'return require(`@libsql/${target}`);';

function nameLibrary(library: string): BunPlugin {
  return {
    name: 'libsql',
    setup(build) {
      build.onLoad({ filter: /\/node_modules\/libsql\/index\.js$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!source.includes(CHOICE)) throw new Error(`${path} does not choose its library as it did.`);
        return {
          contents: source.replace(CHOICE, `return require(${JSON.stringify(library)});`),
          loader: 'js',
        };
      });
    },
  };
}
