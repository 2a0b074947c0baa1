import { readFileSync, writeFileSync } from 'node:fs';
import { times } from '../../report.ts';
import type { QuickFigure } from './run.ts';

/** By the name of a figure. */
type Baseline = Record<string, { value: number; least?: number }>;

/** The figures, and what part they are of an earlier run's. */
export function printQuickly(figures: readonly QuickFigure[], baselineFile: string | undefined): void {
  const baseline: Baseline = baselineFile ? JSON.parse(readFileSync(baselineFile, 'utf8')) : {}; // as saved below
  const rows = figures.map(({ name, value, least, format }) => {
    const before = baseline[name];
    return [
      name,
      format(value),
      least === undefined ? '' : format(least),
      before ? times(value / before.value) : '',
      before?.least && least !== undefined ? times(least / before.least) : '',
    ];
  });
  const heading = ['figure', 'median', 'least', ...(baselineFile ? ['of baseline', 'of its least'] : [])];
  const table = [heading, ...rows.map((row) => row.slice(0, heading.length))];
  const widths = heading.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    );
}

export function saveQuickly(figures: readonly QuickFigure[], file: string): void {
  const baseline: Baseline = Object.fromEntries(
    figures.map(({ name, value, least }) => [name, { value, ...(least !== undefined && { least }) }]),
  );
  writeFileSync(file, `${JSON.stringify(baseline, undefined, 2)}\n`);
}
