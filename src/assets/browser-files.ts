import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Glob } from 'bun';
import type { BrowserFiles, BundledFile, BundledFiles } from './prebuilt.ts';

/** Address prefix of the bundled files. */
export const ASSETS_PREFIX = '/assets';

/** Name of a sheet that imports all sheets of the dashboard; it exists only while it is bundled. */
const DASHBOARD_STYLE = '../dashboard/style.css';
/** Where sheets build on each other: each folder after the one before, those not listed in place of the star. */
const SHEET_FOLDERS = ['styles', 'components', '*', 'pages'];

/** Entries that pages refer to, by purpose. The dashboard's script loads its own chunks. */
const ENTRIES = {
  dashboardScript: '../dashboard/main.tsx',
  dashboardStyle: DASHBOARD_STYLE,
  docsStyle: 'docs/style.css',
} as const satisfies BrowserFiles;

const SOURCE_DIR = Bun.fileURLToPath(new URL('.', import.meta.url));

/** @throws Error when a file cannot be bundled */
export async function bundleBrowserFiles(): Promise<BundledFiles> {
  const built = await Promise.all(
    Object.entries(ENTRIES).map(
      async ([key, entry]) =>
        [key, await bundle(key.replace(/(Script|Style)$/, ''), join(SOURCE_DIR, entry))] as const,
    ),
  );
  return {
    // The keys are those of ENTRIES.
    addresses: Object.fromEntries(
      built.map(([key, { entry }]) => [key, `${ASSETS_PREFIX}/${entry}`]),
    ) as BrowserFiles,
    files: built.flatMap(([, { files }]) => files),
  };
}

/**
 * Writes the files that pages load into a folder that holds nothing else. Names carry a hash, so existing files are kept;
 * those of an earlier version are removed.
 *
 * @throws Error when a file cannot be bundled or written
 */
export async function buildBrowserFiles(folder: string): Promise<BrowserFiles> {
  const { prebuilt } = await import('./prebuilt.ts');
  const { addresses, files } = prebuilt?.browserFiles ?? (await bundleBrowserFiles());
  await mkdir(folder, { recursive: true });
  const present = await readdir(folder);
  const wanted = new Set(files.map(({ name }) => name));
  await Promise.all(
    present
      .filter((name) => !wanted.has(name))
      .map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
  await Promise.all(
    files.filter(({ name }) => !present.includes(name)).map((file) => writeWhole(folder, file)),
  );
  return addresses;
}

/** Imports the base and every sheet that is next to a component or in `styles`. */
function dashboardStyle(): string {
  const rank = (sheet: string) => {
    const known = SHEET_FOLDERS.indexOf(dirname(sheet));
    return known < 0 ? SHEET_FOLDERS.indexOf('*') : known;
  };
  const sheets = [...new Glob('**/*.css').scanSync(join(SOURCE_DIR, '../dashboard'))]
    .sort()
    .sort((one, other) => rank(one) - rank(other));
  return ['../assets/base.css', ...sheets.map((sheet) => `./${sheet}`)]
    .map((sheet) => `@import "${sheet}";`)
    .join('\n');
}

/**
 * Bundles an entry. Returns its files and the name of the first one; modules imported by `import()` become separate files.
 */
async function bundle(kind: string, entry: string): Promise<{ entry: string; files: BundledFile[] }> {
  const { outputs, success, logs } = await Bun.build({
    entrypoints: [entry],
    files: { [join(SOURCE_DIR, DASHBOARD_STYLE)]: dashboardStyle() },
    target: 'browser',
    minify: true,
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: `${kind}-[hash].[ext]`, chunk: 'chunk-[hash].[ext]' },
    throw: false,
  });
  const first = outputs.find(({ kind }) => kind === 'entry-point') ?? outputs[0];
  if (!success || !first) throw new Error(`${entry} could not be bundled:\n${logs.join('\n')}`);
  const files = await Promise.all(
    outputs.map(async (output) => ({ name: basename(output.path), text: await output.text() })),
  );
  return { entry: basename(first.path), files };
}

/** Writes a file atomically. The temporary file is next to the folder, where other starts do not remove it. */
async function writeWhole(folder: string, { name, text }: BundledFile): Promise<void> {
  const temporary = `${folder}-${crypto.randomUUID()}.tmp`;
  await Bun.write(temporary, text);
  await rename(temporary, join(folder, name));
}
