import { join } from 'node:path';
import type { Analytics } from '../analytics/analytics.ts';
import { isOutdated } from '../analytics/embedded/examine.ts';
import { openAnalytics } from '../analytics/embedded/open.ts';
import { withDatabase } from '../backup/copy.ts';
import { makeCopy } from '../backup/create.ts';
import { partialOf, removeDatabaseFile } from '../backup/files.ts';
import { lockBackups } from '../db/instance-lock.ts';
import { openLocalDatabase } from '../db/local-database.ts';
import { readSpans } from '../log/examination.ts';
import type { OnStep } from '../process/progress.ts';
import { DIMENSIONS } from '../vocabulary/analytics.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

const ROWS_OF_A_LIST = 100;
type Website = { key: number; fromMs: number; toMs: number };

/**
 * Rebuilds all statistics of a copy, and compares the answers before and after. Does not touch the database itself.
 *
 * @throws Error with a sentence when the copy cannot be made
 */
export async function examineDeeply(
  databasePath: string,
  scratchDir: string,
  onStep?: OnStep,
): Promise<Finding> {
  const unlock = lockBackups(databasePath);
  const path = join(scratchDir, 'pagemeter-doctor.db');
  const copy = partialOf(path);
  try {
    makeCopy(databasePath, path, { pace: 'quick', onStep }); // the database itself was examined before
    return await compare(copy, withDatabase(copy, readSpans), onStep);
  } finally {
    removeDatabaseFile(copy);
    unlock();
  }
}

async function compare(path: string, websites: readonly Website[], onStep?: OnStep): Promise<Finding> {
  const errors: unknown[] = [];
  const local = openLocalDatabase(path, 'normal');
  if (isOutdated(local)) {
    local.close();
    return warn(
      'answers',
      'The statistics are still being derived again by the rules of this version.',
      'The running service continues it; look again later.',
    );
  }
  const analytics = openAnalytics({
    target: { kind: 'file', path },
    local,
    dataDir: '', // only a remote database needs it
    onError: (error) => errors.push(error),
  });
  try {
    onStep?.({ name: 'asking' });
    const before = await askAll(analytics, websites);
    onStep?.({ name: 'rebuilding' });
    const { events } = await analytics.rebuild();
    onStep?.({ name: 'asking once more' });
    const after = await askAll(analytics, websites);
    const wrong = websites.filter((_, index) => before[index] !== after[index]);
    if (errors.length > 0) throw errors[0];
    return wrong.length === 0
      ? ok('answers', `Rebuilt from ${events} events, the statistics give the same answers.`)
      : fault(
          'answers',
          `The statistics of the websites ${wrong.map(({ key }) => key).join(', ')} differ from the log.`,
          'Stop the service and run: pagemeter rebuild',
        );
  } finally {
    await analytics.close();
    local.close();
    Bun.gc(true); // libSQL closes the file when the statements are collected
  }
}

async function askAll(analytics: Analytics, websites: readonly Website[]): Promise<string[]> {
  const answers: string[] = [];
  for (const { key: websiteKey, fromMs, toMs } of websites)
    answers.push(
      JSON.stringify(
        await analytics.query({
          websiteKey,
          fromMs,
          toMs,
          traffic: 'all',
          totals: true,
          series: { bounds: [fromMs, fromMs + Math.ceil((toMs - fromMs) / 2), toMs] },
          breakdowns: DIMENSIONS.map((dimension) => ({ dimension, limit: ROWS_OF_A_LIST })),
        }),
      ),
    );
  return answers;
}
