import { join } from 'node:path';

const PACKAGES = join(import.meta.dir, 'node_modules');

/** Platform and parts of an executable: Bun and SQLite's library for that system, as files. */
export type Target = {
  name: 'linux-x64' | 'linux-x64-musl' | 'linux-arm64' | 'linux-arm64-musl';
  bun: string;
  library: string;
};

/** From the packages that packaging/package.json names. */
export const TARGETS: readonly Target[] = [
  target('linux-x64', 'linux-x64', 'linux-x64-gnu'),
  target('linux-x64-musl', 'linux-x64-musl', 'linux-x64-musl'),
  target('linux-arm64', 'linux-aarch64', 'linux-arm64-gnu'),
  target('linux-arm64-musl', 'linux-aarch64-musl', 'linux-arm64-musl'),
];

function target(name: Target['name'], bun: string, libsql: string): Target {
  return {
    name,
    bun: join(PACKAGES, '@oven', `bun-${bun}`, 'bin/bun'),
    library: join(PACKAGES, '@libsql', libsql, 'index.node'),
  };
}
