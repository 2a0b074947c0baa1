import type { ImportedStats, NotImported } from '../../contract/metrics/imported.ts';
import { toHref } from '../browser/base-path.ts';
import { formatCountOf, formatDuration, formatPercent } from '../state/format.ts';

const REASONS: Record<NotImported, string> = {
  no_imported_data: 'There are no imported sums.',
  unsupported_filter: 'Imported sums are not included: they are not known for this filter.',
  unsupported_interval: 'Imported sums are not included: they are of whole days.',
  unsupported_traffic: 'Imported sums are not included: they are of people.',
};

/** Totals of imported days, which the figures above do not include; or why there are none. */
export function ImportedNote({ stats }: { stats: ImportedStats }) {
  const { skipped, totals } = stats;
  if (skipped !== null) return <p class="imported-note">{REASONS[skipped]}</p>;
  if (totals.pageviews === 0 && totals.visits === 0) return null;
  const { visitors, visits, pageviews, bounceRate, visitDuration } = totals;
  return (
    <p class="imported-note">
      <span class="imported-key" aria-hidden="true" />
      Imported, and not part of the figures above: {formatCountOf(visitors, 'visitors')} counted by day,{' '}
      {formatCountOf(visits, 'visits')}, {formatCountOf(pageviews, 'pageviews')}
      {bounceRate !== null && `, ${formatPercent(bounceRate)} bounced`}
      {visitDuration !== null && `, ${formatDuration(visitDuration)} a visit`}.{' '}
      <a href={toHref('/docs/import#sums-stay-sums')}>About sums</a>
    </p>
  );
}
