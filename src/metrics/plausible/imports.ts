import type { Selection } from '../../analytics/interface/selection.ts';
import type { ImportedFigures, NotImported } from '../../contract/metrics/imported.ts';
import type { PlausibleMetric } from '../../contract/plausible.ts';
import type { Sums } from '../../sums/store.ts';
import { findImported } from '../answers/imported-sums.ts';
import { NO_FIGURES } from '../answers/wire.ts';
import { toText } from './dimensions.ts';
import { inOrder, type PlausibleRows } from './page.ts';
import type { PlausibleDimension, PlausibleRequest } from './request.ts';
import type { PlausibleRow } from './rows.ts';

export type ImportDeps = {
  sums: Pick<Sums, 'findFirstDays' | 'read'>;
  findFirstMs: (websiteKey: number) => Promise<number | undefined>;
};

type Included = { found: PlausibleRows; skipReason?: 'no_imported_data' | 'unsupported_query' };

/** Metrics that sums know, as in Plausible. */
const SUMMED: readonly PlausibleMetric[] = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
];

/**
 * Adds imported sums to the rows of a question with `include.imports`: to totals, to a time of days and longer, and to the
 * rows of one dimension when all of them are on the page. Only this form adds them, because its clients ask for that.
 */
export async function includeImports(
  { sums, findFirstMs }: ImportDeps,
  selection: Selection,
  found: PlausibleRows,
  request: PlausibleRequest,
): Promise<Included> {
  const { dimensions, metrics, range } = request;
  const [dimension, ...more] = dimensions;
  const named = namedOf(dimension);
  const isWhole = found.rows.length === found.total;
  const isSupported = isWhole && more.length === 0 && metrics.every((metric) => SUMMED.includes(metric));
  if (!isSupported || (dimension?.kind === 'value' && !named))
    return { found, skipReason: 'unsupported_query' };
  const stats = await findImported({
    sums,
    selection,
    zone: range.zone,
    series: dimension?.kind === 'time' ? dimension.series : { interval: 'day', bounds: [] },
    breakdowns: named ? [named.dimension] : [],
    limit: Number.MAX_SAFE_INTEGER,
    firstEventMs: await findFirstMs(selection.websiteKey),
  });
  const [list] = stats.breakdowns;
  if (stats.skipped !== null || (named && !list?.isIncluded))
    return { found, skipReason: toSkipReason(stats.skipped) };
  const imported: (readonly [PlausibleRow['keys'], ImportedFigures])[] = !dimension
    ? [[[], stats.totals]]
    : named
      ? (list?.rows ?? []).map((row) => [[toText(named, row.value)], row])
      : stats.points.map((point) => [[Date.parse(point.time)], point]);
  const rows = merge(found.rows, imported, selection);
  return { found: { rows: inOrder(rows, request), total: rows.length } };
}

function namedOf(dimension: PlausibleDimension | undefined) {
  if (dimension?.kind !== 'value' || dimension.isGoal || dimension.goals) return undefined;
  const [part, ...others] = dimension.parts;
  return part && others.length === 0 && !part.within ? part : undefined;
}

function toSkipReason(skipped: NotImported | null): 'no_imported_data' | 'unsupported_query' {
  return skipped === 'no_imported_data' ? skipped : 'unsupported_query';
}

function merge(
  rows: readonly PlausibleRow[],
  imported: readonly (readonly [PlausibleRow['keys'], ImportedFigures])[],
  selection: Selection,
): PlausibleRow[] {
  const byKeys = new Map(rows.map((row) => [JSON.stringify(row.keys), row]));
  for (const [keys, sum] of imported) {
    const { figures } = byKeys.get(JSON.stringify(keys)) ?? { figures: NO_FIGURES };
    byKeys.set(JSON.stringify(keys), { keys, figures: add(figures, sum), selection });
  }
  return [...byKeys.values()];
}

function add(figures: PlausibleRow['figures'], sum: ImportedFigures): PlausibleRow['figures'] {
  const visits = figures.visits + sum.visits;
  const pageviews = figures.pageviews + sum.pageviews;
  const mean = (ofEvents: number, ofSums: number | null) => {
    if (ofSums === null || visits === 0) return ofEvents;
    return (ofEvents * figures.visits + ofSums * sum.visits) / visits;
  };
  return {
    ...figures,
    visitors: figures.visitors + sum.visitors,
    visits,
    pageviews,
    viewsPerVisit: visits === 0 ? 0 : pageviews / visits,
    bounceRate: mean(figures.bounceRate, sum.bounceRate),
    visitDuration: mean(figures.visitDuration, sum.visitDuration),
  };
}
