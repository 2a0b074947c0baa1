import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { version } from '../package.json';
import { hashFile } from '../src/backup/checksum.ts';
import { buildExecutable } from './executable.ts';
import { TARGETS } from './targets.ts';

/**
 * `bun run release [TARGET…]`: dist/pagemeter-VERSION-TARGET for each system, and their SHA-256. Everything comes from
 * the npm registry: Bun for the other systems and SQLite's library are packages, named in packaging/package.json.
 */

const ROOT = join(import.meta.dir, '..');
const DIST = join(ROOT, 'dist');

const wanted = Bun.argv.slice(2);
const unknown = wanted.filter((name) => !TARGETS.some((target) => target.name === name));
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. Known: ${TARGETS.map(({ name }) => name).join(', ')}`);
const targets = TARGETS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

await install();
await rm(DIST, { recursive: true, force: true });
await mkdir(DIST, { recursive: true });
for (const target of targets) {
  const path = join(DIST, `pagemeter-${version}-${target.name}`);
  await buildExecutable(target, path);
  await chmod(path, 0o755);
  console.log(`${basename(path)}  ${(Bun.file(path).size / 1_000_000).toFixed(0)} MB`);
}
const names = (await readdir(DIST)).toSorted();
const sums = names.map((name) => `${hashFile(join(DIST, name))}  ${name}\n`);
await Bun.write(join(DIST, 'SHA256SUMS'), sums.join(''));

/** The packages of all systems, whatever this one is; what bun.lock says and nothing else. */
async function install(): Promise<void> {
  const child = Bun.spawn(
    [process.execPath, 'install', '--frozen-lockfile', '--silent', '--cpu=*', '--os=linux'],
    { cwd: import.meta.dir, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if ((await child.exited) !== 0) throw new Error('The packages of packaging/ could not be installed.');
}
