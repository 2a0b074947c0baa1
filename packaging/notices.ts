import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dir, '..');

type Package = {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const BUN = `Bun itself is under the MIT licence. It holds JavaScriptCore (LGPL 2.1) and other libraries; their licences, and how
to build Bun with another version of them, stand at https://bun.com/docs/project/licensing.`;

/** The licence of the program and those of all packages that run with it, as one text. */
export async function collectNotices(): Promise<string> {
  const own = await Bun.file(join(ROOT, 'LICENSE')).text();
  const flags = await Bun.file(join(ROOT, 'src/dashboard/marks/FLAGS-LICENSE')).text();
  const regions = await Bun.file(join(ROOT, 'src/vocabulary/REGION-NAMES-LICENSE')).text();
  const packages = [...production(ROOT)].slice(1).map(({ folder, found }) => toNotice(folder, found));
  return [
    `Pagemeter\n\n${own.trim()}`,
    `Bun ${Bun.version}: MIT\n\n${BUN}`,
    `Flags, of country-flag-icons: MIT\n\n${flags.trim()}`,
    `Names of regions, of the Unicode CLDR: Unicode-3.0\n\n${regions.trim()}`,
    ...packages,
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** Every package that runs in production and is installed here, the project itself first: those of other systems are not. */
export function* production(
  folder: string,
  seen = new Set<string>(),
): Generator<{ folder: string; found: Package }> {
  const found = read(folder);
  if (seen.has(`${found.name} ${found.version}`)) return;
  seen.add(`${found.name} ${found.version}`);
  yield { folder, found };
  for (const name of Object.keys({ ...found.dependencies, ...found.optionalDependencies })) {
    const home = locate(folder, name);
    if (home) yield* production(home, seen);
    else if (!found.optionalDependencies?.[name]) throw new Error(`${found.name} lacks ${name}.`);
  }
}

function locate(folder: string, name: string): string | undefined {
  const here = join(folder, 'node_modules', name);
  if (existsSync(join(here, 'package.json'))) return here;
  return folder === ROOT ? undefined : locate(dirname(folder), name);
}

function read(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
}

function toNotice(folder: string, { name, version, license }: Package): string {
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}: ${license}`, ...texts].join('\n\n');
}
