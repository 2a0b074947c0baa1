import { toMiB } from '../measured-process.ts';
import { mebibytes, milliseconds, percent, perSecond, times } from '../report.ts';
import { dashboardsOf, LARGEST, nameOf, SMALL } from './questions.ts';
import type { Measured } from './run.ts';

/** Prints how the figures change with the number of events. */
export function printGrowth(sizes: readonly Measured[]): void {
  const table = [
    ['events', ...sizes.map(({ loaded }) => loaded.events.toLocaleString('en'))],
    ...Object.entries(ROWS).map(([name, read]) => [name, ...sizes.map(read)]),
  ];
  const widths = [0, ...sizes.map((_, index) => index + 1)].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  console.log('\nGrowth; questions about 30 days');
  for (const row of table)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    );
}

const ROWS: Record<string, (measured: Measured) => string> = {
  'events a second': ({ loaded }) => perSecond(loaded.figures.eventsPerS),
  'statistics have caught up after': ({ loaded }) => `${loaded.figures.caughtUpS.toFixed(1)} s`,
  'bytes an event': ({ loaded, sizes }) => (sizes.fileBytes / loaded.events).toFixed(1),
  'memory at most': ({ peakBytes }) => mebibytes(toMiB(peakBytes)),
  'largest website, no filter': (measured) => answerOf(measured, dashboardName(LARGEST, 'no filter')),
  'largest website, one filter': (measured) => answerOf(measured, dashboardName(LARGEST, 'one filter')),
  'largest website, three filters': (measured) => answerOf(measured, dashboardName(LARGEST, 'three filters')),
  'website with 4 %, no filter': (measured) => answerOf(measured, dashboardName(SMALL, 'no filter')),
  'totals of five websites': (measured) => answerOf(measured, 'totals of five websites, 30 days'),
  'ingest with a dashboard open': ({ concurrent }) =>
    concurrent.loads.map(({ share }) => percent(share)).join(', '),
};

function dashboardName(website: number, filter: string): string {
  const question = dashboardsOf(website).find((one) => one.days === 30 && one.filter === filter);
  return question ? nameOf(question) : '';
}

function answerOf({ groups }: Measured, name: string): string {
  const answer = groups.flatMap(({ answers }) => answers).find((one) => one.name === name);
  if (!answer) return '';
  const { medianMs, duckdb } = answer;
  return `${milliseconds(medianMs)}${duckdb ? ` (DuckDB ${times(duckdb.ratio)})` : ''}`;
}
