import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own in memory, which needs root. @param size as `mount` reads it: `8m` */
export function mountSmallDisk(size: string): { path: string; unmount(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pagemeter-disk-'));
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  if (mounted.exitCode !== 0) throw new Error(`A disk of its own needs root: ${mounted.stderr}`);
  return {
    path,
    unmount() {
      Bun.spawnSync(['umount', '--lazy', path]); // a process that has just ended may still be on it
      rmdirSync(path);
    },
  };
}

/** Takes whatever space is left, but for so much. */
export function fillUp(directory: string, leaveBytes = 0): { free(): void } {
  const path = join(directory, 'fill');
  const file = openSync(path, 'w');
  for (let chunk = Buffer.alloc(65_536); chunk.length > 0; ) {
    if (freeBytesOf(directory) - chunk.length < leaveBytes) {
      chunk = chunk.subarray(0, chunk.length >> 1);
      continue;
    }
    try {
      writeSync(file, chunk);
    } catch {
      chunk = chunk.subarray(0, chunk.length >> 1);
    }
  }
  closeSync(file);
  return { free: () => rmSync(path) };
}

function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
