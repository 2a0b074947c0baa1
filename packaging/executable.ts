import { join } from 'node:path';
import type { BunPlugin } from 'bun';
import { bundleBrowserFiles } from '../src/assets/browser-files.ts';
import { readDocuments } from '../src/assets/docs/documents.ts';
import type { Prebuilt } from '../src/assets/prebuilt.ts';
import { bundleTracker } from '../src/assets/tracker-script.ts';
import { collectNotices } from './notices.ts';
import type { Target } from './targets.ts';

const SRC = join(import.meta.dir, '../src');

export const LEVEL_MAX = 22;

/** The program first, then the threads that it starts by path. */
const ENTRIES = [
  'main.ts',
  'analytics/embedded/worker.ts',
  'log/read-worker.ts',
  'backup/write-through-worker.ts',
].map((path) => join(SRC, path));

/**
 * One file that holds Bun, the program and all that it reads: pages and tracker ready made, migrations, documents, the
 * country file and SQLite's library.
 *
 * @param compression the level of Zstandard: the highest takes twenty seconds. `none`: 20 MB more, and a start takes
 * half the time
 * @throws AggregateError with the bundler's words
 */
export async function buildExecutable(
  { name, bun, library }: Target,
  path: string,
  compression: number | 'none' = LEVEL_MAX,
): Promise<void> {
  const prebuilt: Prebuilt = {
    trackers: { on: await bundleTracker(true), off: await bundleTracker(false) },
    browserFiles: await bundleBrowserFiles(),
    documents: await readDocuments(),
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
    bytecode: compression === 'none',
    splitting: true, // threads share what they have in common, and a command is read when it is called
    sourcemap: 'none',
    plugins: [
      replacePrebuilt(prebuilt),
      nameLibrary(library, compression !== 'none'),
      ...(compression === 'none' ? [] : [unpackBeside(library), compress(compression)]),
    ],
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

/** libsql finds out on which system it is when it runs: a bundler cannot see which library it loads. */
const CHOICE = /^const \{ load, currentTarget \}.*\nfunction requireNative\(\) \{\n.*?\n\}\n/ms;
const LOADER = join(import.meta.dir, 'sqlite-library.ts');
const LIBSQL = join(import.meta.dir, 'libsql.ts');

/**
 * An executable is for one system: it need not look for the C library, which loads streams and child processes.
 *
 * @param isPacked it is unpacked by us, and otherwise by Bun
 */
function nameLibrary(library: string, isPacked: boolean): BunPlugin {
  return {
    name: 'libsql',
    setup(build) {
      build.onLoad({ filter: /\/node_modules\/libsql\/index\.js$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!CHOICE.test(source)) throw new Error(`${path} does not choose its library as it did.`);
        const file = `require(${JSON.stringify(library)})`;
        const loaded = isPacked ? `require(${JSON.stringify(LOADER)}).loadLibrary(${file})` : file;
        const chosen = `const requireNative = () => ${loaded};\n`;
        return { contents: source.replace(CHOICE, chosen), loader: 'js' };
      });
    },
  };
}

/** The service begins to unpack SQLite's library before it is loaded itself, and waits for it where libsql is imported. */
function unpackBeside(library: string): BunPlugin {
  return {
    name: 'unpack-while-loading',
    setup(build) {
      build.onLoad({ filter: /\/src\/db\/library\.ts$/ }, () => ({
        contents: `import { beginUnpacking } from ${JSON.stringify(LOADER)};
          export const prepareLibrary = () => beginUnpacking(require(${JSON.stringify(library)}));`,
        loader: 'js',
      }));
      build.onResolve({ filter: /^libsql$/ }, ({ importer }) =>
        importer === LIBSQL ? undefined : { path: LIBSQL },
      );
    },
  };
}

/**
 * SQLite's library and the country file become a third as large; who reads them unpacks them, in 20 ms each. Brotli makes
 * 0.9 MB less of them, and takes three to four times as long to unpack.
 */
function compress(level: number): BunPlugin {
  return {
    name: 'compress',
    setup(build) {
      build.onLoad({ filter: /\.(node|mmdb)$/ }, async ({ path }) => ({
        contents: Bun.zstdCompressSync(await Bun.file(path).bytes(), { level }),
        loader: 'file',
      }));
    },
  };
}
