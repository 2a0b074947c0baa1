import { expect } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openAnalytics } from '../../../src/analytics/open.ts';
import { openDatabase } from '../../../src/db/open.ts';
import type { Script } from './script.ts';
import { openStage, type Stage } from './stage.ts';

/** Where the engine works: on the caller's connection, or in its thread. */
export type Place = 'memory' | 'file';

/** Plays a script on an empty database, then does what is to be done there. */
export async function run(
  { cacheBytesMax, steps }: Pick<Script, 'cacheBytesMax' | 'steps'>,
  place: Place,
  then?: (stage: Stage) => Promise<void>,
): Promise<void> {
  const folder = place === 'file' ? await mkdtemp(join(tmpdir(), 'oracle-')) : undefined;
  const target = folder
    ? { kind: 'file' as const, path: join(folder, 'database') }
    : { kind: 'memory' as const };
  const database = await openDatabase(target, 'normal');
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const stage = await openStage(database, ({ local }) =>
    openAnalytics({ target, local, dataDir: '', cacheBytesMax, onError }),
  );
  try {
    // A thread cannot be killed as a process can, and two engines do not share a file.
    for (const step of steps)
      await stage.play(folder && step.do === 'restart' ? { ...step, isClean: true } : step);
    await then?.(stage);
    stage.checkLog();
    expect(errors).toEqual([]);
  } finally {
    await stage.close();
    database.close();
    if (folder) await rm(folder, { recursive: true });
    await setImmediate(); // only between tasks are closed databases given back
  }
}
