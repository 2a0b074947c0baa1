import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/**
 * Installs what a folder's own package.json and lockfile name: servers and libraries of hundreds of megabytes that few
 * commands need.
 */
export function installPackages(
  folder: 'tests/clickhouse' | 'tests/remote' | 'bench/analytics/duckdb',
): void {
  const { success } = Bun.spawnSync(
    [process.execPath, 'install', '--frozen-lockfile', '--silent', '--cwd', join(ROOT, folder)],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (!success) throw new Error(`The packages of ${folder} could not be installed.`);
}
