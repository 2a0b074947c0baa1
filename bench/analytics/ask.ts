import type { Dashboard } from '../../src/contract/metrics/dashboard.ts';
import type { Overview } from '../../src/contract/metrics/overview.ts';
import { median, medianRatio } from '../statistics.ts';
import { comparePanels, compareTotals } from './compare.ts';
import type { Duckdb } from './duckdb.ts';
import { askPanels, askTotals } from './duckdb-panels.ts';
import type { Loaded } from './load.ts';
import * as questions from './questions.ts';
import { call, startService } from './service.ts';

export type Asker = { loaded: Loaded; duckdb: Duckdb; rounds: number };

/** A question over HTTP and, unless it is a list, of DuckDB too. */
export type Asked = {
  name: string;
  path: string;
  targetMs?: number | undefined;
  /** False: DuckDB's time is shown without a target. */
  hasRatioTarget?: boolean;
  /** Asks DuckDB the same. @returns what compares its answer with ours, and names the differences */
  rival?: (duckdb: Duckdb) => Promise<(ours: unknown) => string[]>;
};

export type Answered = {
  name: string;
  targetMs: number | undefined;
  hasRatioTarget: boolean;
  medianMs: number;
  p95Ms: number;
  duckdb: { medianMs: number; ratio: number; faults: string[] } | undefined;
};
/** Questions of one process, and the most memory that it held. */
export type Group = { name: string; peakBytes: number; firstMs: number; answers: Answered[] };

/** DuckDB takes so long that fewer rounds must do. */
const PAIRS = 5;

export function dashboards(loaded: Loaded, asked: readonly questions.Question[]): Asked[] {
  return asked.map((question) => ({
    name: questions.nameOf(question),
    path: questions.toPath(question, loaded),
    targetMs: questions.targetMsOf(question),
    async rival({ connection }) {
      const theirs = await askPanels(connection, question, loaded.endMs);
      return (ours) => comparePanels(ours as Dashboard, theirs); // what the route's schema promises
    },
  }));
}

export function totals(loaded: Loaded): Asked[] {
  return questions.RANGES.map((days) => ({
    name: `totals of five websites, ${days} days`,
    path: questions.toTotalsPath(days, loaded),
    targetMs: questions.totalsTargetMs(days),
    async rival({ connection }) {
      const theirs = await askTotals(connection, days, loaded.endMs);
      return (ours) => compareTotals(ours as Overview, theirs); // as above
    },
  }));
}

export function lists(loaded: Loaded): Asked[] {
  return questions.listPaths(loaded).map(([name, path]) => ({ name: `${name}, 30 days`, path }));
}

/** In a new process of the service, so that its memory is that of these questions. */
export async function askGroup(
  { loaded, duckdb, rounds }: Asker,
  name: string,
  asked: readonly Asked[],
): Promise<Group> {
  const service = await startService(loaded.file);
  const ask = (path: string) => timed(() => call(service, path, loaded));
  const { tookMs: firstMs } = await ask(asked[0]?.path ?? '');
  const answers: Answered[] = [];
  for (const { name, path, targetMs, hasRatioTarget = true, rival } of asked) {
    const faults = rival ? (await rival(duckdb))((await ask(path)).value) : [];
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push((await ask(path)).tookMs);
      if (rival && round < PAIRS) theirs.push((await timed(() => rival(duckdb))).tookMs);
    }
    answers.push({
      name,
      targetMs,
      hasRatioTarget,
      medianMs: median(ours),
      p95Ms: ours.toSorted((a, b) => a - b)[Math.ceil(0.95 * ours.length) - 1] ?? Number.NaN,
      duckdb: rival && { medianMs: median(theirs), ratio: medianRatio(theirs, ours), faults },
    });
  }
  const peakBytes = service.peakRssBytes();
  await service.end();
  return { name, peakBytes, firstMs, answers };
}

/** @returns the most memory that one process holds that is asked everything */
export async function askTogether(loaded: Loaded, asked: readonly Asked[]): Promise<number> {
  const service = await startService(loaded.file);
  for (const { path } of asked) await call(service, path, loaded);
  const peakBytes = service.peakRssBytes();
  await service.end();
  return peakBytes;
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; tookMs: number }> {
  const startedAtMs = performance.now();
  const value = await work();
  return { value, tookMs: performance.now() - startedAtMs };
}
