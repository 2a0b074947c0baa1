import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { crowd } from './oracle/crowd.ts';
import { checkAgreement } from './oracle/invariants.ts';
import { type Place, run, runFollowed } from './oracle/run.ts';
import { isLong, runs, seed, TEST_MS_MAX } from './oracle/runs.ts';
import {
  boundedScript,
  cutSelection,
  erasedScript,
  floodedScript,
  groups,
  type Script,
  script,
} from './oracle/script.ts';
import type { Stage } from './oracle/stage.ts';

/**
 * Random traffic, random questions. The short run is always the same; see oracle/runs.ts for long ones.
 */

describe('the engine answers as the naive implementation does', () => {
  test(
    'whatever happened before',
    () =>
      fc.assert(
        fc.asyncProperty(script, (played) => compareAll(played, 'memory')),
        runs(250),
      ),
    TEST_MS_MAX,
  );

  test(
    'in a thread next to a file',
    () =>
      fc.assert(
        fc.asyncProperty(script, (played) => compareAll(played, 'file')),
        runs(8),
      ),
    TEST_MS_MAX,
  );

  test(
    'on days with too many property keys',
    () =>
      fc.assert(
        fc.asyncProperty(floodedScript, (played) => compareAll(played, 'memory')),
        runs(10),
      ),
    TEST_MS_MAX,
  );

  test(
    'on days with too many different texts',
    () =>
      fc.assert(
        fc.asyncProperty(boundedScript, (played) => compareAll(played, 'memory')),
        runs(60),
      ),
    TEST_MS_MAX,
  );

  test(
    'when the log is elsewhere and another engine follows it too',
    () => fc.assert(fc.asyncProperty(script, runFollowed), runs(40)),
    TEST_MS_MAX,
  );

  test(
    'two engines agree after parts of visits were erased',
    () => fc.assert(fc.asyncProperty(erasedScript, runFollowed), runs(40)),
    TEST_MS_MAX,
  );

  test(
    'two engines agree on days with too many property keys',
    () => fc.assert(fc.asyncProperty(floodedScript, runFollowed), runs(5)),
    TEST_MS_MAX,
  );

  test(
    'two engines agree on days with too many different texts',
    () => fc.assert(fc.asyncProperty(boundedScript, runFollowed), runs(10)),
    TEST_MS_MAX,
  );

  test(
    'over so many events that segments are written while days grow',
    () =>
      run(
        {
          sizes: { cacheBytesMax: 2 ** 20, segmentEventsMax: 10_000 },
          steps: crowd(isLong ? 45_000 : 1_000, seed),
        },
        'memory',
      ),
    TEST_MS_MAX,
  );
});

describe('answers of the engine', () => {
  test(
    'agree with one another',
    () =>
      fc.assert(
        fc.asyncProperty(groups, cutSelection, (steps, { selected, bounds }) =>
          run({ sizes: { cacheBytesMax: 0, segmentEventsMax: 2 }, steps }, 'memory', (stage) =>
            checkAgreement(stage.engine(), selected, bounds),
          ),
        ),
        runs(60),
      ),
    TEST_MS_MAX,
  );

  test(
    'are the same to the byte after a restart and after all was derived again',
    () =>
      fc.assert(
        fc.asyncProperty(script, (played) =>
          run(played, 'memory', async (stage) => {
            const before = await answersOf(stage, played);
            await stage.play({ do: 'restart', isClean: true });
            expect(await answersOf(stage, played)).toEqual(before);
            await stage.play({ do: 'rebuild' });
            expect(await answersOf(stage, played)).toEqual(before);
          }),
        ),
        runs(40),
      ),
    TEST_MS_MAX,
  );
});

function compareAll(played: Script, place: Place): Promise<void> {
  return run(played, place, async (stage) => {
    for (const question of played.questions) await stage.compare(question);
  });
}

function answersOf(stage: Stage, { questions }: Script): Promise<string[]> {
  return Promise.all(questions.map((question) => stage.answer(question)));
}
