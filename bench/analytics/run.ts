import { type Figure, printTable } from '../report.ts';
import { type Asked, askGroup, askTogether, dashboards, type Group, lists, totals } from './ask.ts';
import { type Concurrent, measureConcurrent } from './concurrent.ts';
import {
  describeConcurrent,
  describeGroup,
  describeLoad,
  describeMemoryTogether,
  describeSizes,
} from './describe.ts';
import { openDuckdb } from './duckdb.ts';
import { type Loaded, loadOnce } from './load.ts';
import { outcomes } from './outcomes.ts';
import { dashboardsOf, LARGEST, RANGES, SMALL } from './questions.ts';
import { measureSizes, type Sizes } from './sizes.ts';

export type Options = {
  events: number;
  file: string;
  rounds: number;
  alternations: number;
  measureMs: number;
};

/** All that was measured of one file. */
export type Measured = {
  loaded: Loaded;
  sizes: Sizes;
  groups: Group[];
  concurrent: Concurrent;
  /** Over all processes. */
  peakBytes: number;
  figures: Figure[];
};

/** Measures one file, loading it first unless it is there, and prints each part as soon as it is done. */
export async function runSize(options: Options): Promise<Measured> {
  const figures: Figure[] = [];
  const print = (title: string, part: Figure[]) => {
    console.log(`\n${title}`);
    printTable(part);
    figures.push(...part);
  };
  const loaded = await loadOnce(options.file, options.events);
  print(
    `${loaded.events.toLocaleString('en')} events, loaded at ${loaded.loadedAt} through POST /api/v1/events/batch`,
    describeLoad(loaded),
  );
  const sizes = measureSizes(loaded.file);
  print('The file, bytes an event', describeSizes(sizes, loaded.events));
  const duckdb = await openDuckdb(loaded.file);
  const groups: Group[] = [];
  const outcomesAsked = await outcomes(loaded);
  const asked: [name: string, asked: Asked[]][] = [
    ...questionGroups(loaded),
    ['Outcomes of the largest website', outcomesAsked],
  ];
  for (const [name, questions] of asked) {
    const group = await askGroup({ loaded, duckdb, rounds: options.rounds }, name, questions);
    groups.push(group);
    print(`${name}, over HTTP, of a new process`, describeGroup(group));
  }
  duckdb.close();
  const togetherBytes = await askTogether(
    loaded,
    asked.flatMap(([, questions]) => questions),
  );
  print('All of these questions of one process', [describeMemoryTogether('memory at most', togetherBytes)]);
  const concurrent = await measureConcurrent(loaded, {
    ...options,
    outcomes: outcomesAsked.map(({ path }) => path),
  });
  print(
    'Ingest, while the largest website is asked for 30 days every half second',
    describeConcurrent(concurrent),
  );
  const peaks = [loaded.figures.afterCatchUpBytes, togetherBytes, concurrent.peakBytes];
  const peakBytes = Math.max(...peaks, ...groups.map((group) => group.peakBytes));
  return { loaded, sizes, groups, concurrent, peakBytes, figures };
}

function questionGroups(loaded: Loaded): [name: string, asked: Asked[]][] {
  const largest = dashboardsOf(LARGEST);
  const ofDays = (days: number) => largest.filter((question) => question.days === days);
  return [
    ...RANGES.map((days): [string, Asked[]] => [
      `Dashboards of the largest website, ${days} days`,
      dashboards(loaded, ofDays(days)),
    ]),
    ['Dashboards of a website with 4 %', dashboards(loaded, dashboardsOf(SMALL))],
    ['Totals of the websites page', totals(loaded)],
    ['Lists of the largest website', lists(loaded)],
  ];
}
