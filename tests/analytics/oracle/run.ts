import { expect } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createEngine } from '../../../src/analytics/embedded/engine.ts';
import { openAnalytics } from '../../../src/analytics/embedded/open.ts';
import { openDatabase } from '../../../src/db/open.ts';
import type { Script } from './script.ts';
import { openStage, type Stage, type Step } from './stage.ts';

/** Where the engine works: on the caller's connection, or in its thread. */
export type Place = 'memory' | 'file';

/** Plays a script on an empty database, then does what is to be done there. */
export async function run(
  { sizes, steps }: Pick<Script, 'sizes' | 'steps'>,
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
  const stage = await openStage(
    database,
    ({ local }) =>
      local && !folder
        ? createEngine({ database: local, ...sizes, onError })
        : openAnalytics({ target, local, dataDir: '', cacheBytesMax: sizes.cacheBytesMax, onError }),
    { limits: folder ? {} : sizes }, // the thread has the usual ones
  );
  try {
    // A thread cannot be killed as a process can, and two engines do not share a file.
    for (const step of steps)
      await stage.play(folder && step.do === 'restart' ? { ...step, isClean: true } : step);
    await then?.(stage);
    await stage.checkLog();
    expect(errors).toEqual([]);
  } finally {
    await stage.close();
    database.close();
    if (folder) await rm(folder, { recursive: true });
    await setImmediate(); // only between tasks are closed databases given back
  }
}

/**
 * Runs the same with a log that two engines follow, each with its own statistics, as with a server: the one that the
 * script is about, and one that is asked at the end about what the other has removed.
 */
export async function runFollowed({ sizes, steps, questions }: Script): Promise<void> {
  const [log, own, other] = await Promise.all(
    ['log', 'own', 'other'].map(() => openDatabase({ kind: 'memory' }, 'normal')),
  );
  if (!log || !own?.local || !other?.local) throw new Error('A database in memory is local.');
  const errors: unknown[] = [];
  const follow = (database: NonNullable<typeof own.local>) =>
    createEngine({ database, server: log.db.$client, ...sizes, onError: (error) => errors.push(error) });
  const { local } = own;
  const neighbour = follow(other.local);
  const stage = await openStage(log, () => follow(local), { limits: sizes, neighbours: [neighbour] });
  try {
    for (const [index, step] of steps.entries()) {
      await stage.play(asOnServer(step));
      if (index % 2 === 0) await neighbour.catchUp(); // reads every other change by itself
    }
    for (const question of questions) {
      await stage.compare(question);
      await stage.compare(question, neighbour);
    }
    await stage.checkLog();
    expect(errors).toEqual([]);
  } finally {
    await stage.close();
    await neighbour.close();
    for (const database of [log, own, other]) database.close();
    await setImmediate(); // only between tasks are closed databases given back
  }
}

/** Both read one log again. */
function asOnServer(step: Step): Step {
  return step.do === 'rebuild' ? { do: 'rebuild' } : step;
}
