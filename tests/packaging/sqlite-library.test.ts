import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

setDefaultTimeout(60_000);

const MODULE = join(import.meta.dir, '../../packaging/sqlite-library.ts');
/** Long enough to be killed while it is written. */
const LIBRARY_BYTES = 256 * 1024 * 1024;

test('leaves nothing in TMPDIR of a library that is being written when the process is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagemeter-library-'));
  const [scratch, packed] = [join(folder, 'scratch'), join(folder, 'packed')];
  mkdirSync(scratch);
  writeFileSync(packed, Bun.zstdCompressSync(new Uint8Array(LIBRARY_BYTES), { level: 1 }));
  const program = `import { loadLibrary } from ${JSON.stringify(MODULE)}; loadLibrary(${JSON.stringify(packed)});`;
  let isWriting = false;
  while (!isWriting) {
    const child = Bun.spawn([process.execPath, '-e', program], {
      env: { TMPDIR: scratch },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    while (!isWriting && child.exitCode === null) {
      isWriting = holdsLibrary(child.pid);
      await Bun.sleep(1);
    }
    child.kill('SIGKILL');
    await child.exited;
  }
  expect(readdirSync(scratch)).toEqual([]);
  rmSync(folder, { recursive: true });
});

/** Whether the process has a library open in which there is something already. */
function holdsLibrary(pid: number): boolean {
  const descriptors = `/proc/${pid}/fd`;
  try {
    return readdirSync(descriptors).some((name) => {
      const path = join(descriptors, name);
      return readlinkSync(path).includes('libsql.node') && statSync(path).size > 0;
    });
  } catch {
    return false; // what was listed is closed by now
  }
}
