import type { ImportedFigures, ImportedStats } from '../../contract/metrics/imported.ts';
import type { ShownMetric } from '../state/metric-formats.ts';

/** Imported figures of the points that have any, in the order of the points; undefined when there are none. */
export function toImportedValues(
  stats: ImportedStats | undefined,
  times: readonly string[],
  metric: ShownMetric,
): (number | null)[] | undefined {
  if (!stats || stats.points.length === 0) return undefined;
  const byTime = new Map(stats.points.map(({ time, ...figures }) => [time, figures]));
  const values = times.map((time) => {
    const figures = byTime.get(time);
    return figures ? importedIn(figures, metric) : null;
  });
  return values.some((value) => value !== null) ? values : undefined;
}

function importedIn(figures: ImportedFigures, metric: ShownMetric): number | null {
  const { visits, pageviews } = figures;
  switch (metric) {
    case 'visitors':
    case 'visits':
    case 'pageviews':
    case 'bounceRate':
    case 'visitDuration':
      return figures[metric];
    case 'viewsPerVisit':
      return visits > 0 ? pageviews / visits : null;
    default:
      return null; // sums know no events and goals
  }
}
