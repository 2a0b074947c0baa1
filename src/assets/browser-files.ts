import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the browser finds the folder. */
export const ASSETS_PREFIX = '/assets';

const ENTRIES = {
  welcomeScript: 'welcome/main.ts',
  welcomeStyle: 'welcome/style.css',
  docsStyle: 'docs/style.css',
} as const;

/** The address of each bundled file, by what it is for. */
export type BrowserFiles = Record<keyof typeof ENTRIES, string>;

const SOURCE_DIR = fileURLToPath(new URL('.', import.meta.url));

/**
 * Bundles what the pages load into a folder that holds nothing else. The names carry a hash of the content, so a file
 * that is there already is the same and stays; those of an earlier version are removed.
 *
 * @throws Error when a file cannot be bundled or written
 */
export async function buildBrowserFiles(folder: string): Promise<BrowserFiles> {
  const built = await Promise.all(
    Object.entries(ENTRIES).map(
      async ([key, entry]) => [key, await bundle(join(SOURCE_DIR, entry))] as const,
    ),
  );
  await mkdir(folder, { recursive: true });
  const present = await readdir(folder);
  const wanted = new Set(built.map(([, { name }]) => name));
  await Promise.all(
    present
      .filter((name) => !wanted.has(name))
      .map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
  await Promise.all(
    built.filter(([, { name }]) => !present.includes(name)).map(([, file]) => writeWhole(folder, file)),
  );
  // The keys are those of ENTRIES.
  return Object.fromEntries(
    built.map(([key, { name }]) => [key, `${ASSETS_PREFIX}/${name}`]),
  ) as BrowserFiles;
}

type BundledFile = { name: string; text: string };

async function bundle(entry: string): Promise<BundledFile> {
  const { outputs, success, logs } = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    minify: true,
    throw: false,
  });
  const [output] = outputs;
  if (!success || !output) throw new Error(`${entry} could not be bundled:\n${logs.join('\n')}`);
  const text = await output.text();
  const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16);
  const kind = entry.slice(SOURCE_DIR.length).split('/')[0];
  return { name: `${kind}-${hash}.${output.path.split('.').at(-1)}`, text };
}

/** A file that is there is whole. The temporary one is beside the folder, where no other start tidies it away. */
async function writeWhole(folder: string, { name, text }: BundledFile): Promise<void> {
  const temporary = `${folder}-${crypto.randomUUID()}.tmp`;
  await Bun.write(temporary, text);
  await rename(temporary, join(folder, name));
}
