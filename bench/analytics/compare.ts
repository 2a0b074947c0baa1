import type { Dashboard } from '../../src/contract/metrics/dashboard.ts';
import type { Overview } from '../../src/contract/metrics/overview.ts';
import type { Counts, Panels } from './duckdb-panels.ts';

/** Where the service and DuckDB do not say the same; empty when they agree in everything that both answer. */
export function comparePanels(ours: Dashboard, theirs: Panels): string[] {
  const faults: string[] = [];
  same('totals', ours.totals, theirs.totals);
  for (const name of ['bounceRate', 'visitDuration'] as const)
    if (Math.abs(ours.totals[name] - theirs.totals[name]) > 1e-6 * Math.max(1, theirs.totals[name]))
      faults.push(`totals: ${name} ${ours.totals[name]}, DuckDB ${theirs.totals[name]}`);
  const points = new Map(theirs.points.map((point) => [point.time, point]));
  for (const point of ours.points) same(point.time, point, points.get(point.time) ?? NOTHING);
  theirs.breakdowns.forEach(({ dimension, rows, total }, index) => {
    const own = ours.breakdowns[index];
    if (own?.dimension !== dimension || own.total !== total || own.rows.length !== rows.length)
      faults.push(`${dimension}: ${own?.total} values, DuckDB ${total}`);
    rows.forEach((row, place) => {
      const mine = own?.rows[place];
      if (mine?.value === row.value) same(`${dimension} ${row.value}`, mine, row);
      else faults.push(`${dimension}, row ${place}: ${mine?.value}, DuckDB ${row.value}`);
    });
  });
  return faults;

  function same(name: string, mine: Counts, other: Counts): void {
    for (const metric of ['visitors', 'visits', 'pageviews', 'events'] as const)
      if (mine[metric] !== other[metric])
        faults.push(`${name}: ${metric} ${mine[metric]}, DuckDB ${other[metric]}`);
  }
}

export function compareTotals({ websites }: Overview, theirs: readonly Counts[]): string[] {
  return websites.flatMap(({ name, ...ours }, index) =>
    (['visitors', 'visits', 'pageviews'] as const)
      .filter((metric) => ours[metric] !== (theirs[index] ?? NOTHING)[metric])
      .map((metric) => `${name}: ${metric} ${ours[metric]}, DuckDB ${theirs[index]?.[metric]}`),
  );
}

const NOTHING: Counts = { visitors: 0, visits: 0, pageviews: 0, events: 0 };
