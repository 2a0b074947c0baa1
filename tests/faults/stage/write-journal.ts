import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** The file operations of a process, in order (see write-journal.c). */
export type Deed = { atMs: number; file: string } & (
  | { what: 'write'; offset: number; bytes: Uint8Array }
  | { what: 'truncate'; size: number }
  | { what: 'sync' }
  | { what: 'unlink' }
);

export const compiler = Bun.which('gcc') ?? Bun.which('cc');

const OPTIONS = ['-shared', '-fPIC', '-O2'];

/** Compiles the journal and says what the environment of the process must hold. */
export function prepareJournal(dataDir: string) {
  if (!compiler) throw new Error('The journal of writes needs a C compiler (gcc).');
  const directory = mkdtempSync(join(tmpdir(), 'pagemeter-journal-'));
  const library = join(directory, 'write-journal.so');
  const journal = join(directory, 'journal');
  const source = join(import.meta.dir, 'write-journal.c');
  const compiled = Bun.spawnSync([compiler, ...OPTIONS, '-o', library, source, '-ldl', '-lpthread']);
  if (compiled.exitCode !== 0) throw new Error(`The journal cannot be compiled: ${compiled.stderr}`);
  return {
    environment: { LD_PRELOAD: library, JOURNAL_OF: dataDir, JOURNAL_TO: journal },
    read: () => parse(readFileSync(journal)),
    remove: () => rmSync(directory, { recursive: true }),
  };
}

const HEAD_BYTES = 32;

function parse(journal: Buffer): Deed[] {
  const deeds: Deed[] = [];
  for (let position = 0; position + HEAD_BYTES <= journal.length; ) {
    const atMs = journal.readDoubleLE(position);
    const offset = Number(journal.readBigInt64LE(position + 8));
    const size = journal.readUInt32LE(position + 16);
    const pathSize = journal.readUInt32LE(position + 20);
    const what = journal.readUInt32LE(position + 24);
    const pathEnd = position + HEAD_BYTES + pathSize;
    const end = pathEnd + size;
    if (end > journal.length) break; // it is being written, and whole the next time
    const file = basename(journal.toString('utf8', position + HEAD_BYTES, pathEnd));
    const start = { atMs, file };
    if (what === 1) deeds.push({ ...start, what: 'write', offset, bytes: journal.subarray(pathEnd, end) });
    else if (what === 3) deeds.push({ ...start, what: 'truncate', size: offset });
    else deeds.push({ ...start, what: what === 2 ? 'sync' : 'unlink' });
    position = end;
  }
  return deeds;
}
