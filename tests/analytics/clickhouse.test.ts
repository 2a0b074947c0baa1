import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { comparable } from '../../src/move/difference.ts';
import { type ClickHouse, hasClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { runOn } from './clickhouse/run.ts';
import { ask } from './oracle/ask.ts';
import { checkAgreement } from './oracle/invariants.ts';
import type { Question } from './oracle/questions.ts';
import { run } from './oracle/run.ts';
import { runs, TEST_MS_MAX } from './oracle/runs.ts';
import { cutSelection, erasedScript, groups, type Script, script } from './oracle/script.ts';
import type { Step } from './oracle/stage.ts';

/**
 * Runs the same random histories on ClickHouse: 150 in the short run, 10,000 with `CASES=10000`. Reading and planning a
 * statement takes the server longer than answering it on so few rows, so a history is asked fewer questions, and there
 * are more of them.
 */
const QUESTIONS_MAX = 5;

let started: Promise<ClickHouse> | undefined;
const clickHouse = () => (started ??= startClickHouse());
afterAll(async () => (await started)?.stop());

describe.if(hasClickHouse)('ClickHouse answers as the naive implementation does', () => {
  test(
    'whatever happened before',
    () => fc.assert(fc.asyncProperty(script, compareAll), runs(150)),
    TEST_MS_MAX,
  );

  test(
    'after parts of visits were erased',
    () => fc.assert(fc.asyncProperty(erasedScript, compareAll), runs(40)),
    TEST_MS_MAX,
  );

  test(
    'with answers that agree with one another',
    () =>
      fc.assert(
        fc.asyncProperty(groups, cutSelection, async (steps, { selected, bounds }) =>
          runOn(await clickHouse(), { sizes: { cacheBytesMax: 0 }, steps }, (stage) =>
            checkAgreement(stage.engine(), selected, bounds),
          ),
        ),
        runs(10),
      ),
    TEST_MS_MAX,
  );
});

test.if(hasClickHouse)(
  'ClickHouse answers each question as the embedded engine does',
  () => fc.assert(fc.asyncProperty(script, compareBoth), runs(50)),
  TEST_MS_MAX,
);

async function compareBoth({ sizes, steps, questions }: Script): Promise<void> {
  const history = { sizes, steps: steps.filter((step) => step.do !== 'ask').flatMap(oneByOne) };
  await runOn(await clickHouse(), history, (one) =>
    run(history, 'memory', async (other) => {
      await together(questions, async (question) => {
        const [answer, expected] = await Promise.all(
          [one, other].map((stage) => ask(stage.engine(), question)),
        );
        expect({ question, answer: comparable(answer) }).toEqual({ question, answer: comparable(expected) });
      });
    }),
  );
}

/** An id of the erased visitor that is sent again is a repeat before the erasure and new after it: two logs may disagree. */
function oneByOne(step: Step): Step[] {
  if (step.do !== 'store while erasing') return [step];
  return [
    { do: 'erase', websiteKey: 1, visitorId: step.visitorId },
    { do: 'store', events: step.events },
  ];
}

async function compareAll(played: Script): Promise<void> {
  await runOn(await clickHouse(), played, async (stage) => {
    await together(played.questions, (question) => stage.compare(question));
  });
}

/**
 * So that the naive implementation counts while the server works. With all of them at once the last ones would wait for
 * longer than a question may, on a busy machine.
 */
const AT_ONCE = 4;

async function together(
  questions: readonly Question[],
  work: (question: Question) => Promise<void>,
): Promise<void> {
  const rest = questions.slice(0, QUESTIONS_MAX).values();
  const lane = async () => {
    for (const question of rest) await work(question);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
